package io.knabla.runtime.http.hpack;

/** A header block that cannot be decoded. The connection has to close: later blocks depend on this one. */
public final class HpackException extends RuntimeException {
    HpackException(String sentence) {
        super(sentence, null, false, false);
    }
}
