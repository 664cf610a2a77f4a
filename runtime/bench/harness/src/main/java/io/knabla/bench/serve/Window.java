package io.knabla.bench.serve;

import io.knabla.bench.load.LoadResult;
import io.knabla.bench.statistics.LatencyHistogram;

/**
 * Throughput, latencies and CPU time of one target in one window of load.
 *
 * @param cpuMicros CPU time of the server per request; of the loop itself for {@link BareLoop}
 * @param foreignShare share of the machine that other processes used meanwhile
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
