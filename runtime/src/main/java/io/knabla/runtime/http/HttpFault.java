package io.knabla.runtime.http;

/** Rejects a request that cannot be parsed further; the connection closes after the error response. */
final class HttpFault extends RuntimeException {
    final int status;

    HttpFault(int status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }
}
