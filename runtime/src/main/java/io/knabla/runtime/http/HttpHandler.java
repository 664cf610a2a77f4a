package io.knabla.runtime.http;

/** Handles the requests of an {@link HttpServer}. Thread-safe. */
public interface HttpHandler {
    /** Checks the head before the body is read; returns a response to reject the request, null to admit it. */
    HttpResponse refuse(HttpRequest request);

    /** Answers an admitted request whose body was read. */
    HttpResponse handle(HttpRequest request);

    /** Called once for each admitted request, after its response is written or lost. */
    void done();

    /** The body of an error response that the server itself sends, such as 400 or 413. */
    byte[] error(int status, String sentence);
}
