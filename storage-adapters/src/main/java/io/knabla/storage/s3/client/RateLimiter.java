package io.knabla.storage.s3.client;

/**
 * Limits the request rate of a client: unlimited until the server throttles it, then half of its recent rate, growing
 * again from there. Complements the backoff of the throttled requests ("Best practices design patterns: optimizing
 * Amazon S3 performance").
 */
final class RateLimiter {
    /** Lowest limit in requests per second; a client this slow causes no overload. */
    static final double FLOOR = 10;

    /** Requests per second from which on there is no limit; S3 accepts 3,500 per prefix. */
    static final double FREE = 4_000;

    /** Growth factor of the limit per second. */
    private static final double GROWTH = 1.5;

    private static final double SECOND = 1e9;

    /** Refusals of requests sent before the last halving are ignored. */
    private static final long ONE_BURST = 250_000_000L;

    private double limit = Double.POSITIVE_INFINITY;
    private long limited;
    private long slot;
    private double seen;
    private long seenAt;

    /**
     * Reserves the next slot to send.
     *
     * @param now nanoseconds of a monotonic clock
     * @return nanoseconds to wait
     */
    synchronized long reserve(long now) {
        count(now);
        double rate = limit(now);
        if (rate >= FREE) {
            return 0;
        }
        long start = Math.max(slot, now);
        slot = start + (long) (SECOND / rate);
        return start - now;
    }

    /** Halves the rate after a throttling response. */
    synchronized void slowDown(long now) {
        double rate = limit(now);
        boolean first = rate >= FREE;
        if (first || now - limited >= ONE_BURST) {
            limit = Math.max(FLOOR, Math.min(rate, seen(now)) / 2);
            limited = now;
            slot = first ? now : slot;
        }
    }

    private double limit(long now) {
        return limit * Math.pow(GROWTH, (now - limited) / SECOND);
    }

    /** An exponentially decaying count, with a time constant of one second: requests per second. */
    private void count(long now) {
        seen = seen(now) + 1;
        seenAt = now;
    }

    private double seen(long now) {
        return seen * Math.exp((seenAt - now) / SECOND);
    }
}
