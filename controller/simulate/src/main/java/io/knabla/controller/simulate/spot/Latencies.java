package io.knabla.controller.simulate.spot;

import java.time.Duration;

/** Distribution of times up to a bound, by a thousandth of the bound. */
final class Latencies {
    private static final int BUCKETS = 1000;

    private final long bound;
    private final long[] counts = new long[BUCKETS + 1];
    private long total;

    /** @param bound in milliseconds, positive */
    Latencies(long bound) {
        this.bound = bound;
    }

    /** @param millis from 0 to the bound */
    void add(long millis) {
        counts[(int) (millis * BUCKETS / bound)]++;
        total++;
    }

    /** Zero if there is none. */
    Duration quantile(double share) {
        long before = 0;
        for (int bucket = 0; bucket <= BUCKETS; bucket++) {
            before += counts[bucket];
            if (total > 0 && before >= share * total) {
                return Duration.ofMillis(bound * Math.min(BUCKETS, bucket + 1) / BUCKETS);
            }
        }
        return Duration.ZERO;
    }
}
