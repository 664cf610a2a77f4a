package io.knabla.storage.s3.client;

/**
 * How fast a client sends: freely until the server says that it is too fast, then at half the rate that it had, and
 * from then on faster again. A client's own restraint, beside the pauses of the requests that were refused ("Best
 * practices design patterns: optimizing Amazon S3 performance").
 */
final class SendRate {
    /** Requests per second below which no client is the cause of an overload. */
    static final double FLOOR = 10;

    /** Requests per second from which on there is nothing to restrain; S3 takes 3,500 a prefix. */
    static final double FREE = 4_000;

    /** By how much a restrained rate grows in a second. */
    private static final double GROWTH = 1.5;

    private static final double SECOND = 1e9;

    /** Refusals of requests that were sent before the last halving say nothing new. */
    private static final long ONE_BURST = 250_000_000L;

    private double limit = Double.POSITIVE_INFINITY;
    private long limited;
    private long slot;
    private double seen;
    private long seenAt;

    /**
     * Takes the next place to send.
     *
     * @param now nanoseconds of a clock that never goes back
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

    /** The server said that it is asked too much. */
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

    /** A count that loses two thirds in a second, so that it stands for requests per second. */
    private void count(long now) {
        seen = seen(now) + 1;
        seenAt = now;
    }

    private double seen(long now) {
        return seen * Math.exp((seenAt - now) / SECOND);
    }
}
