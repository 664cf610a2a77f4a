package io.knabla.bench.serve;

import io.knabla.bench.load.ClosedLoop;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.Platform;
import io.knabla.bench.statistics.PairedSamples;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Measures the gateway's rate after the platform is ready, relative to the same process when warm: on average over the
 * first two seconds, and at their end. The function is there since an earlier start; its replica starts in these two
 * seconds too.
 */
record WarmUp(Distribution distribution, Progress progress) {
    private static final String AVERAGE = "gateway-warmup";
    private static final String REACHED = "gateway-warmup-reached";
    static final List<String> ROWS = List.of(AVERAGE, REACHED);

    private static final Duration BEGIN = Duration.ofMillis(1_500);
    private static final Duration END = Duration.ofMillis(500);
    private static final Duration WINDOW = BEGIN.plus(END);
    private static final Duration WARM_UP = Duration.ofSeconds(6);

    /** A round is a start of the whole platform, so there are fewer of them than elsewhere. */
    private static final int MOST_ROUNDS = 5;

    /** @param platform whose home is used; closed at the end */
    List<Row> run(Platform platform, int rounds, int connections) {
        var average = new PairedSamples();
        var reached = new PairedSamples();
        Platform current = platform;
        try {
            // The load generator must not warm up at the platform's expense.
            rate(current, connections, WARM_UP);
            for (int round = 1; round <= Math.min(rounds, MOST_ROUNDS); round++) {
                progress.report("restarting the platform, round " + round);
                current = current.restart(distribution);
                double begin = rate(current, connections, BEGIN);
                double end = rate(current, connections, END);
                rate(current, connections, WARM_UP);
                double warm = rate(current, connections, WINDOW);
                average.add((begin * BEGIN.toMillis() + end * END.toMillis()) / WINDOW.toMillis(), warm);
                reached.add(end, warm);
            }
        } finally {
            current.close();
        }
        return List.of(
                row(AVERAGE, "stated: the first two seconds", average),
                row(REACHED, "at least 0.5 at the end of two seconds", reached));
    }

    private static Row row(String name, String goal, PairedSamples rates) {
        return Row.of(new Row.Title(name, "requests/s", goal), rates, "the same platform when warm", Map.of());
    }

    private static double rate(Platform platform, int connections, Duration window) {
        return ClosedLoop.run(platform.json(), connections, window).perSecond();
    }
}
