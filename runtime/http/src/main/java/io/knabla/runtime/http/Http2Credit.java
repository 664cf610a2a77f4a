package io.knabla.runtime.http;

/** How much the peer may still send: of one body, or of all bodies of a connection. Thread-safe. */
final class Http2Credit {
    private final String of;
    private int left = Http2Connection.WINDOW;
    private int consumed;

    /** @param of what may not exceed it, for the sentence that says so */
    Http2Credit(String of) {
        this.of = of;
    }

    /** @throws Http2Error if the peer has sent more than it may */
    synchronized void take(int bytes) {
        left -= bytes;
        if (left < 0) {
            throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, of);
        }
    }

    /** Says that so many bytes were read; returns how many more the peer is to be granted now, or 0. */
    synchronized int consumed(int bytes) {
        consumed += bytes;
        if (consumed < Http2Connection.WINDOW / 2) {
            return 0;
        }
        int more = consumed;
        consumed = 0;
        left += more;
        return more;
    }
}
