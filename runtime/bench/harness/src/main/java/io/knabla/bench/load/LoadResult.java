package io.knabla.bench.load;

import io.knabla.bench.statistics.LatencyHistogram;

/** Latencies of the requests in one window of load; a wrong answer throws instead. */
public record LoadResult(double seconds, LatencyHistogram latencies) {
    public double perSecond() {
        return latencies.total() / seconds;
    }
}
