package io.knabla.runtime.http;

import java.io.IOException;

/** Handles the requests of an {@link HttpServer}. Thread-safe. */
public interface HttpHandler {
    /** Checks the head before the body is read; returns a response to reject the request, null to admit it. */
    HttpResponse refuse(HttpRequest request);

    /**
     * Answers an admitted request, on a virtual thread of its own. If it returns without a complete response, the
     * connection is closed.
     *
     * @throws IOException if the client has left
     * @throws HttpFault if the body is malformed, too large or too late; answered by the server
     */
    void handle(HttpExchange exchange) throws IOException;

    /** Called once for each admitted request, after its response is written or lost. */
    void done();

    /** The handler of requests that come by HTTP/2; asked for with the first of them. */
    default HttpHandler http2() {
        return this;
    }

    /** The response that the server sends by itself, such as 400 or 413. */
    HttpResponse error(int status, String sentence);
}
