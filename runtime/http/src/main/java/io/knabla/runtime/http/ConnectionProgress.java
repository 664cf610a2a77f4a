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

    /** Nanoseconds that the peer is behind the expected rate; negative if the server has to act. */
    long behindNanos(long now) {
        long passed = now - sinceNanos;
        return switch (phase) {
            case NEW, IDLE, HEAD -> passed;
            case BODY -> passed - nanos(bytes);
            // A busy server may be slow to hand over a piece.
            case RESPONSE -> passed - nanos(bytes + HttpConnection.ONE_WRITE);
            case HANDLING -> Long.MIN_VALUE;
        };
    }

    /** The connection with the most is the first to be closed. */
    long urgency(long now) {
        return switch (phase) {
            case NEW, HEAD -> HEAD_WEIGHT * behindNanos(now);
            case IDLE, BODY, RESPONSE, HANDLING -> behindNanos(now);
        };
    }

    private static long nanos(long moved) {
        return moved * 1_000_000_000L / EXPECTED_RATE;
    }
}
