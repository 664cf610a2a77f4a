package io.knabla.bench.spot;

import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.statistics.PairedSamples;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code bench spot}: the time to decide where the replicas of 1,000 functions run in nine zones. */
public final class SpotBench implements Bench {
    private static final int FUNCTIONS = 1_000;

    /** Enough to compile the code, and for every replica to become ready. */
    private static final int WARM_UP = 200;

    private final int rounds;
    private final Progress progress;

    public SpotBench(int rounds, Progress progress) {
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(Measurement.of("decisions", this::decisions));
    }

    private Row decisions() {
        List<FunctionFleet> fleets =
                IntStream.range(0, FUNCTIONS).mapToObj(FunctionFleet::new).toList();
        progress.report("%d rounds of %d functions".formatted(WARM_UP + rounds, FUNCTIONS));
        PairedSamples millis = new PairedSamples();
        for (int round = 0; round < WARM_UP + rounds; round++) {
            fleets.forEach(FunctionFleet::advance);
            long began = System.nanoTime();
            fleets.forEach(FunctionFleet::decide);
            long decided = System.nanoTime();
            fleets.forEach(FunctionFleet::decideAsReference);
            long ended = System.nanoTime();
            if (round >= WARM_UP) {
                millis.add((decided - began) / 1e6, (ended - decided) / 1e6);
            }
        }
        int replicas = fleets.stream().mapToInt(FunctionFleet::replicas).sum();
        return Row.of(
                new Row.Title("decisions", "ms", "at most 50 ms for all functions"),
                millis,
                "SpotHedge on the same fleets",
                Map.of("functions", FUNCTIONS, "zones", FunctionFleet.ZONES.size(), "replicas", replicas));
    }
}
