package io.knabla.runtime.http;

/** Rejects a message that cannot be read further; the connection closes after the error response. */
public final class HttpFault extends RuntimeException {
    final int status;

    public HttpFault(int status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
