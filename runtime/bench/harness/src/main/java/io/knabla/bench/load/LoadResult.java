package io.knabla.bench.load;

import io.knabla.bench.statistics.LatencyHistogram;

/** What came back in one window of load; a wrong answer ends the window with an exception instead. */
public record LoadResult(double seconds, LatencyHistogram latencies) {
    public double perSecond() {
        return latencies.total() / seconds;
    }
}
