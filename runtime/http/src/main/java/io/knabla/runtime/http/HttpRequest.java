package io.knabla.runtime.http;

/**
 * Head and body of one HTTP request. Its body array may be overwritten by the next request once the handler has
 * returned.
 */
public final class HttpRequest {
    private static final byte[] NO_BODY = {};

    private final String method;
    private final String target;
    private final HttpHeaders headers;
    private final boolean http11;
    private final long arrived;
    byte[] body = NO_BODY;
    int bodyLength;
    BodyRest rest;
    private RequestTrace trace;

    /** @param http11 true for HTTP/1.1, false for HTTP/1.0 */
    HttpRequest(String method, String target, HttpHeaders headers, boolean http11, long arrived) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.http11 = http11;
        this.arrived = arrived;
    }

    /** A request within this process: {@code body} holds all of its body. */
    public static HttpRequest of(
            String method, String target, HttpHeaders headers, byte[] body, int bodyLength, long arrived) {
        var request = new HttpRequest(method, target, headers, true, arrived);
        request.body = body;
        request.bodyLength = bodyLength;
        return request;
    }

    /** The method; GET for HEAD, because the server drops the response body itself. */
    public String method() {
        return isHead() ? "GET" : method;
    }

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** Path and query as sent. */
    public String target() {
        return target;
    }

    /** The target without its query. */
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    public HttpHeaders headers() {
        return headers;
    }

    /** The first header with this name, ignoring case; null if absent. */
    public String header(String name) {
        return headers.get(name);
    }

    /** Names it in logs and answers; the same at every call. */
    public RequestTrace trace() {
        if (trace == null) {
            trace = RequestTrace.of(headers);
        }
        return trace;
    }

    boolean http11() {
        return http11;
    }

    public byte[] body() {
        return body;
    }

    /** Number of valid bytes in {@link #body}. */
    public int bodyLength() {
        return bodyLength;
    }

    /** What follows {@link #body} and is read by the handler; null if the body is all. */
    public BodyRest rest() {
        return rest;
    }

    /** {@link System#nanoTime} when the head was read completely. */
    public long arrived() {
        return arrived;
    }
}
