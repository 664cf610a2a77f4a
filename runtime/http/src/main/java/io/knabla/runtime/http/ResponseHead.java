package io.knabla.runtime.http;

/**
 * Status line and headers of a response from another server.
 *
 * @param http11 true for HTTP/1.1, false for HTTP/1.0
 */
public record ResponseHead(int status, HttpHeaders headers, boolean http11) {
    /** Whether the connection may carry a further request after this response. */
    boolean keepsAlive() {
        return http11 && !headers.lists("Connection", "close");
    }
}
