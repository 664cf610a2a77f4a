package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.LatencyCounts;
import io.knabla.runtime.http.LatencyBuckets;
import java.util.Arrays;

/** Histogram of durations, in the buckets of the replica's metrics. For one thread at a time. */
final class LatencyHistogram {
    private final long[] counts = new long[LatencyBuckets.BOUNDS.size() + 1];
    private long sum;

    void add(long nanos) {
        int bucket = 0;
        while (bucket < counts.length - 1
                && nanos > LatencyBuckets.BOUNDS.get(bucket).toNanos()) {
            bucket++;
        }
        counts[bucket]++;
        sum += nanos;
    }

    LatencyCounts counts() {
        return new LatencyCounts(Arrays.stream(counts).boxed().toList(), sum);
    }
}
