package io.knabla.bench.generation;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.TextServer;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.statistics.Samples;
import io.knabla.controller.simulate.generation.ChunkPolicy;
import io.knabla.controller.simulate.generation.Deployment;
import io.knabla.controller.simulate.generation.GoodputSearch;
import io.knabla.controller.simulate.generation.Objectives;
import io.knabla.controller.simulate.generation.ReplicaLimits;
import io.knabla.controller.simulate.generation.RequestLoad;
import io.knabla.controller.simulate.generation.StepCosts;
import io.knabla.controller.simulate.generation.TextRequest;
import io.knabla.controller.simulate.generation.TokenTraceReader;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Rows that compare the latencies of a replica's texts with their objectives, and its goodput with the simulator's. */
final class SchedulingRows {
    /** A replica's own, where function.yaml has none. */
    private static final Duration TPOT = Duration.ofMillis(50);

    private static final Duration TTFT = Duration.ofSeconds(2);
    private static final int REQUESTS = 100;

    /** The trace's prompts are of a code model on large GPUs. */
    private static final int SHORTER = 8;

    private static final int MOST_GENERATED = 256;

    /** As a replica's. */
    private static final int MOST_CHUNK = 512;

    private static final ReplicaLimits LIMITS =
            new ReplicaLimits(new ScheduleLimits(TextUnit.SEQUENCES, 18_432, 128), 64, Duration.ofSeconds(30));

    private static final int MOST_ROUNDS = 3;

    private final Distribution distribution;
    private final int rounds;
    private final Progress progress;
    private final Function<String, TextUnit> units;
    private final SplittableRandom random = new SplittableRandom();

    /** @param units packages the model with keys of {@code spec.generation} */
    SchedulingRows(Distribution distribution, int rounds, Progress progress, Function<String, TextUnit> units) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.progress = progress;
        this.units = units;
    }

    List<Measurement> measurements() {
        return List.of(Measurement.of("goodput-live", this::goodput), Measurement.of("longest-gap", this::longestGap));
    }

    private Row goodput() throws Exception {
        int searches = Math.min(rounds, MOST_ROUNDS);
        var objectives = new Objectives(TTFT, TPOT);
        var paired = new PairedSamples();
        var costs = new LinkedHashMap<String, Object>();
        try (RunningServer replica = start("contextLength: 1280, kvCache: {maxBytes: 1Gi}")) {
            var caller = new TextCaller(replica.port());
            for (int round = 0; round < searches; round++) {
                progress.report("goodput-live, round %d of %d".formatted(round + 1, searches));
                var load = RequestLoad.of(trace(), RequestLoad.Arrivals.Poisson, round);
                StepCosts measured = new StepCalibration(caller, random).measure();
                var search = new GoodputSearch("shorter", load, new Deployment(1, LIMITS, measured, 0));
                double simulated = search.goodput(new ChunkPolicy.Objective(MOST_CHUNK), objectives);
                paired.add(new LiveGoodput(caller, load, objectives, random).near(simulated), simulated);
                costs.put("costs-" + round, measured.toString());
            }
        }
        return Row.of(new Row.Title("goodput-live", "requests/s", "0.9 to 1.1"), paired, "the simulator", costs);
    }

    private static List<TextRequest> trace() {
        return TokenTraceReader.azureCode().subList(0, REQUESTS).stream()
                .map(one -> new TextRequest(
                        one.arrival(), Math.ceilDiv(one.prompt(), SHORTER), Math.min(one.generated(), MOST_GENERATED)))
                .toList();
    }

    private Row longestGap() throws Exception {
        var paired = new PairedSamples();
        List<Double> gaps = new ArrayList<>();
        try (RunningServer replica = start("contextLength: 2304, kvCache: {maxBytes: 2Gi}")) {
            var caller = new TextCaller(replica.port());
            for (int i = 0; i < rounds; i++) {
                progress.report("longest-gap, round %d of %d".formatted(i + 1, rounds));
                Cooldown.DEFAULT.await();
                LongPromptLatency prompt = LongPromptLatency.measure(caller, random);
                gaps.addAll(prompt.gaps());
                paired.add(prompt.longestGap(), TPOT.toMillis() + prompt.usualGap());
            }
        }
        return Row.of(
                new Row.Title("longest-gap", "ms", "at most 1"),
                paired,
                "the objective and one step",
                Map.of(
                        "streams",
                        LongPromptLatency.STREAMS,
                        "prompt",
                        LongPromptLatency.TOKENS,
                        "median-gap-ms",
                        Rounding.significant(Samples.of(gaps).median())));
    }

    private RunningServer start(String generation) {
        int threads = Runtime.getRuntime().availableProcessors();
        var server = new TextServer(
                distribution,
                units.apply(generation).packed(),
                RandomLlama.words(LongPromptLatency.STREAMS, random),
                threads);
        return RunningServer.start(server, random, Duration.ofMillis(2));
    }
}
