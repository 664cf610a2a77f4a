package io.knabla.bench.generation;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.TextServer;
import io.knabla.bench.statistics.PairedSamples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Compares a replica whose prompts another replica reads (split prefill) with one that reads its own, on a core each.
 */
final class SplitPrefillRows {
    private static final String GENERATION = "contextLength: 2304, kvCache: {maxBytes: 2Gi}";
    private static final int THREADS = 1;

    private final Distribution distribution;
    private final int rounds;
    private final Progress progress;
    private final Function<String, TextUnit> units;
    private final SplittableRandom random = new SplittableRandom();

    /** @param units packages the model with keys of {@code spec.generation} */
    SplitPrefillRows(Distribution distribution, int rounds, Progress progress, Function<String, TextUnit> units) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.progress = progress;
        this.units = units;
    }

    List<Measurement> measurements() {
        return List.of(Measurement.of("split-gap", this::gap), Measurement.of("split-ttft", this::firstToken));
    }

    /** One measurement with a replica, in milliseconds. */
    private interface Timing {
        double millis(TextCaller caller) throws Exception;
    }

    private Row gap() throws Exception {
        return row(
                new Row.Title("split-gap", "ms", "at most 0.5"),
                caller -> LongPromptLatency.measure(caller, random).longestGap());
    }

    private Row firstToken() throws Exception {
        return row(
                new Row.Title("split-ttft", "ms", "at most 1.1"),
                caller -> caller.times(RandomLlama.words(LongPromptLatency.TOKENS, random), 1)
                                .toFirst()
                        / 1e6);
    }

    private Row row(Row.Title title, Timing timing) throws Exception {
        var server = new TextServer(
                distribution,
                units.apply(GENERATION).packed(),
                RandomLlama.words(LongPromptLatency.STREAMS, random),
                THREADS);
        var paired = new PairedSamples();
        try (RunningServer alone = start(server);
                RunningServer reader = start(server);
                RunningServer split = start(server.withReader(reader.port()))) {
            for (int i = 0; i < rounds; i++) {
                progress.report("%s, round %d of %d".formatted(title.name(), i + 1, rounds));
                boolean first = random.nextBoolean();
                double before = first ? measured(split, timing) : 0;
                double other = measured(alone, timing);
                paired.add(first ? before : measured(split, timing), other);
            }
        }
        var details = Map.<String, Object>of("streams", LongPromptLatency.STREAMS, "prompt", LongPromptLatency.TOKENS);
        return Row.of(title, paired, "a replica that reads its own prompts", details);
    }

    private static double measured(RunningServer replica, Timing timing) throws Exception {
        Cooldown.DEFAULT.await();
        return timing.millis(new TextCaller(replica.port()));
    }

    private RunningServer start(TextServer server) {
        return RunningServer.start(server, random, Duration.ofMillis(2));
    }
}
