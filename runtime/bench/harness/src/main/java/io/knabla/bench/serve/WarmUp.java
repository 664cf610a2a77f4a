package io.knabla.bench.serve;

import io.knabla.bench.load.ClosedLoop;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.Platform;
import io.knabla.bench.statistics.PairedSamples;
import java.time.Duration;
import java.util.Map;

/**
 * Measures the gateway's rate in the first two seconds after the platform is ready, relative to the same process when
 * warm. The function is there since an earlier start; its replica starts in these two seconds too.
 */
record WarmUp(Distribution distribution, Progress progress) {
    static final String ROW = "gateway-warmup";

    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(6);

    /** A round is a start of the whole platform, so there are fewer of them than elsewhere. */
    private static final int MOST_ROUNDS = 5;

    /** @param platform whose home is used; closed at the end */
    Row run(Platform platform, int rounds, int connections) {
        var rates = new PairedSamples();
        Platform current = platform;
        try {
            // The load generator must not warm up at the platform's expense.
            rate(current, connections, WARM_UP);
            for (int round = 1; round <= Math.min(rounds, MOST_ROUNDS); round++) {
                progress.report("restarting the platform, round " + round);
                current = current.restart(distribution);
                double first = rate(current, connections, FIRST);
                rate(current, connections, WARM_UP);
                rates.add(first, rate(current, connections, FIRST));
            }
        } finally {
            current.close();
        }
        var title = new Row.Title(ROW, "requests/s", "at least 0.5 in the first two seconds");
        return Row.of(title, rates, "the same platform when warm", Map.of());
    }

    private static double rate(Platform platform, int connections, Duration window) {
        return ClosedLoop.run(platform.json(), connections, window).perSecond();
    }
}
