package io.knabla.runtime.http;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Upper bounds of the buckets of all histograms of latencies, ascending, from 1 ms to 60 s. Gateway and replica share
 * them, so that one query adds up both.
 */
public final class LatencyBuckets {
    public static final List<Duration> BOUNDS = LongStream.of(
                    1_000,
                    2_500,
                    5_000,
                    10_000,
                    25_000,
                    50_000,
                    100_000,
                    250_000,
                    500_000,
                    1_000_000,
                    2_500_000,
                    5_000_000,
                    10_000_000,
                    30_000_000,
                    60_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toList();

    private LatencyBuckets() {}
}
