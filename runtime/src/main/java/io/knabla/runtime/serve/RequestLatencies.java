package io.knabla.runtime.serve;

import io.knabla.runtime.http.LatencyBuckets;
import java.time.Duration;
import java.util.Arrays;
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
        PrometheusText.histogram(
                text, NAME, labels, Arrays.stream(counts).map(LongAdder::sum).toList(), nanos.sum());
    }
}
