package io.knabla.runtime.http;

/** One request. Its body array may be overwritten by the next request once the handler has returned. */
public final class HttpRequest {
    private static final byte[] NO_BODY = {};

    private final String method;
    private final String target;
    private final String[] headers;
    private final int headerCount;
    private final long arrived;
    byte[] body = NO_BODY;
    int bodyLength;

    HttpRequest(String method, String target, String[] headers, int headerCount, long arrived) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.headerCount = headerCount;
        this.arrived = arrived;
    }

    /** The method; GET for HEAD, because the server drops the response body itself. */
    public String method() {
        return method.equals("HEAD") ? "GET" : method;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** The target without its query. */
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** The first header with this name, ignoring case; null if absent. */
    public String header(String name) {
        for (int i = 0; i < headerCount; i += 2) {
            if (headers[i].equalsIgnoreCase(name)) {
                return headers[i + 1];
            }
        }
        return null;
    }

    int count(String name) {
        int count = 0;
        for (int i = 0; i < headerCount; i += 2) {
            if (headers[i].equalsIgnoreCase(name)) {
                count++;
            }
        }
        return count;
    }

    public byte[] body() {
        return body;
    }

    /** Number of valid bytes in {@link #body}. */
    public int bodyLength() {
        return bodyLength;
    }

    /** {@link System#nanoTime} when the head was read completely. */
    public long arrived() {
        return arrived;
    }
}
