package io.knabla.bench.serve;

import io.knabla.bench.load.LoadResult;
import io.knabla.bench.statistics.LatencyHistogram;

/**
 * What one contender did in one window of load.
 *
 * @param cpuMicros of the server for each request; for the bare loop that of the loop
 * @param foreignShare of the machine that others used meanwhile
 */
public record Window(double perSecond, double p50Millis, double p99Millis, double cpuMicros, double foreignShare) {
    static Window of(LoadResult result, double cpuMillis, double foreignShare) {
        LatencyHistogram latencies = result.latencies();
        return new Window(
                result.perSecond(),
                latencies.millis(0.50),
                latencies.millis(0.99),
                cpuMillis * 1000 / latencies.total(),
                foreignShare);
    }
}
