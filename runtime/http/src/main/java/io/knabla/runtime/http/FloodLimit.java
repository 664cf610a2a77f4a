package io.knabla.runtime.http;

import java.util.function.LongSupplier;

/** Limits how many frames without use a peer may send: resets of streams count most, because they cost a request. */
final class FloodLimit {
    static final int RESET = 50;
    static final int CONTROL = 1;

    /** A head that may be read fits into one frame. */
    static final int CONTINUATION = 50;

    private static final int MOST = 10_000;
    private static final long PERIOD_NANOS = 10_000_000_000L;

    private final LongSupplier clock;
    private long since;
    private int spent;

    /** @param clock nanoseconds */
    FloodLimit(LongSupplier clock) {
        this.clock = clock;
        since = clock.getAsLong();
    }

    /** @throws Http2Error if the peer sent too many within ten seconds */
    void count(int weight) {
        spent += weight;
        if (spent <= MOST) {
            return;
        }
        long now = clock.getAsLong();
        if (now - since < PERIOD_NANOS) {
            throw new Http2Error(Http2Error.ENHANCE_YOUR_CALM, "too many resets or control frames");
        }
        since = now;
        spent = weight;
    }
}
