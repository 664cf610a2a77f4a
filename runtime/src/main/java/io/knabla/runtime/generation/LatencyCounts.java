package io.knabla.runtime.generation;

import java.util.List;

/**
 * Durations that were measured since the start.
 *
 * @param counts of them by the first of {@link io.knabla.runtime.http.LatencyBuckets#BOUNDS} that they do not exceed;
 *     the last one of those that exceed all
 * @param nanos their sum
 */
public record LatencyCounts(List<Long> counts, long nanos) {
    public LatencyCounts {
        counts = List.copyOf(counts);
    }

    /** Number of durations. */
    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
