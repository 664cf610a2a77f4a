package io.knabla.runtime.http;

/**
 * Phase of a connection, its beginning, and the bytes moved since; from these follows how late the peer is.
 *
 * @param sinceNanos time of the server's clock at which the phase began
 */
record ConnectionProgress(Phase phase, long sinceNanos, long bytes) {
    /** Peers are expected to move this many bytes a second. */
    private static final long EXPECTED_RATE = 64 << 10;

    /** A half head is no use of a connection, an idle one that has been answered may be. */
    private static final int HEAD_WEIGHT = 8;

    enum Phase {
        /** Before the first request. */
        NEW,
        /** Between two requests. */
        IDLE,
        HEAD,
        BODY,
        /** The peer waits for the server. */
        HANDLING,
        RESPONSE
    }

    /** Nanoseconds that the peer is behind; the connection with the most is the first to be closed. */
    long lateness(long now) {
        long passed = now - sinceNanos;
        return switch (phase) {
            case IDLE -> passed;
            case NEW, HEAD -> HEAD_WEIGHT * passed;
            case BODY, RESPONSE -> passed - bytes * 1_000_000_000L / EXPECTED_RATE;
            case HANDLING -> Long.MIN_VALUE;
        };
    }
}
