package io.knabla.runtime.serve.http;

/** What a front calls for each request. Both may be called by many threads. */
public interface HttpHandler {
    /** Looks at the head alone: an answer here spares reading the body; null lets the request in. */
    HttpResponse refuse(HttpRequest request);

    /** Answers a request whose body was read. */
    HttpResponse handle(HttpRequest request);

    /** Called once for each request after {@link #refuse} let it in, when its answer is written or lost. */
    void done();

    /** The body of an answer that the front itself gives, such as 400 or 413. */
    byte[] error(int status, String sentence);
}
