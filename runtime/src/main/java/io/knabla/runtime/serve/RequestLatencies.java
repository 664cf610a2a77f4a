package io.knabla.runtime.serve;

import io.knabla.runtime.http.LatencyBuckets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests of one class of statuses by their latency: a histogram of Prometheus. Thread-safe. */
final class RequestLatencies {
    /** The gateway's name for the same histogram, so that one query serves laptop and cluster. */
    static final String NAME = "knabla_requests_seconds";

    private static final long[] BOUNDS =
            LatencyBuckets.BOUNDS.stream().mapToLong(Duration::toNanos).toArray();

    /** Requests by the first bound that they do not exceed; the last ones exceed all. */
    private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];

    private final LongAdder nanos = new LongAdder();

    RequestLatencies() {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] = new LongAdder();
        }
    }

    void record(long latencyNanos) {
        int bucket = 0;
        while (bucket < BOUNDS.length && latencyNanos > BOUNDS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        nanos.add(latencyNanos);
    }

    /**
     * Appends the series of this histogram; none if nothing was recorded.
     *
     * @param labels of all series, without braces
     */
    void append(StringBuilder text, String labels) {
        long below = 0;
        var series = new StringBuilder();
        for (int bucket = 0; bucket < counts.length; bucket++) {
            below += counts[bucket].sum();
            series.append(NAME).append("_bucket{").append(labels).append(",le=\"");
            series.append(bucket < BOUNDS.length ? Double.toString(BOUNDS[bucket] / 1e9) : "+Inf");
            series.append("\"} ").append(below).append('\n');
        }
        if (below > 0) {
            text.append(series);
            text.append(NAME).append("_sum{").append(labels).append("} ");
            text.append(nanos.sum() / 1e9).append('\n');
            text.append(NAME).append("_count{").append(labels).append("} ");
            text.append(below).append('\n');
        }
    }
}
