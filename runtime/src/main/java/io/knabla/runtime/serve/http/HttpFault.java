package io.knabla.runtime.serve.http;

/** A request that cannot be read on; the connection ends with the answer. */
final class HttpFault extends RuntimeException {
    final int status;

    HttpFault(int status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }
}
