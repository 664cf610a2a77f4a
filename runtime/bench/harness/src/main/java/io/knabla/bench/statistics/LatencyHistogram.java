package io.knabla.bench.statistics;

/**
 * Histogram of durations with log-linear buckets: recording is one increment, and any quantile is exact to
 * 1/{@value #PARTS} of its value.
 */
public final class LatencyHistogram {
    private static final int PARTS = 64;
    private static final int BITS = 6;

    private final long[] counts = new long[PARTS * (Long.SIZE - BITS + 1)];
    private long total;

    public void record(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        total++;
    }

    public long total() {
        return total;
    }

    public void add(LatencyHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    /** The quantile for {@code share}, in milliseconds. */
    public double millis(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return upper(i) / 1e6;
            }
        }
        throw new IllegalStateException("no duration recorded: there is no quantile");
    }

    /** Below {@value #PARTS} each value has its own bucket; above, each power of two has {@value #PARTS} buckets. */
    private static int bucket(long nanos) {
        if (nanos < PARTS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - Long.numberOfLeadingZeros(nanos) - BITS - 1;
        return PARTS * (shift + 1) + (int) ((nanos >>> shift) - PARTS);
    }

    private static long upper(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        return ((PARTS + bucket % PARTS + 1L) << shift) - 1;
    }
}
