package io.knabla.bench.warm;

import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.run.Rows;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@code bench warm}: one platform, on this machine or on a cluster, with a function for each policy and each kind of
 * client, called at the same times. Counts the answers that say {@code Knabla-Start: cold}; memory over time is the
 * platform's own metric.
 */
public final class WarmBench implements Bench {
    public static final double MINUTES = ArrivalPattern.LENGTH / 60;
    private static final long SEED = 17;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Function<BenchModel, WarmPlatform> platforms;
    private final double scale;
    private final Progress progress;

    private enum Policy {
        Adaptive,
        Fixed,
        Never
    }

    private record Subject(ArrivalPattern pattern, Policy policy) implements Comparable<Subject> {
        String name() {
            return (pattern + "-" + policy).toLowerCase(Locale.ROOT);
        }

        @Override
        public int compareTo(Subject other) {
            return name().compareTo(other.name());
        }
    }

    /** @param lateCold those in the second half of the time, when Adaptive has learned */
    private record Count(int requests, int cold, int lateCold) {}

    /**
     * @param minutes all times of the clients are compressed to this length
     * @param cluster whether to run on the cluster of the environment, not on this machine
     */
    public WarmBench(Distribution distribution, double minutes, boolean cluster, Progress progress) {
        this.platforms =
                model -> cluster ? ClusterPlatform.open(distribution, model) : new LocalPlatform(distribution, model);
        this.scale = minutes / MINUTES;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(new Measurement(
                Stream.of(ArrivalPattern.values()).map(WarmBench::row).toList(), this::measure));
    }

    private static String row(ArrivalPattern pattern) {
        return "warm-" + pattern;
    }

    private void measure(Rows rows) {
        List<Subject> functions = functions(rows);
        Path folder = Folders.temporary();
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
        try (WarmPlatform platform = platforms.apply(model)) {
            progress.report("deploying %d functions".formatted(functions.size()));
            functions.forEach(function -> platform.deploy(function.name(), spec(function.policy())));
            Map<String, Double> before = memory(platform);
            Map<Subject, Count> counts = call(platform, functions, rows);
            Map<String, Double> after = memory(platform);
            after.replaceAll((series, value) -> value - before.getOrDefault(series, 0.0));
            Stream.of(ArrivalPattern.values())
                    .filter(pattern -> rows.wants(row(pattern)))
                    .forEach(pattern -> rows.add(row(pattern, counts, after)));
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<Subject> functions(Rows rows) {
        List<Subject> functions = new ArrayList<>();
        for (ArrivalPattern pattern : ArrivalPattern.values()) {
            if (rows.wants(row(pattern))) {
                for (Policy policy : Policy.values()) {
                    functions.add(new Subject(pattern, policy));
                }
            }
        }
        return functions;
    }

    private String spec(Policy policy) {
        return """
                "scaling": {"min": 0, "max": 1, "concurrency": 4, "idleAfter": "%dms"},
                "keepWarm": {"policy": "%s", "idleTimeout": "%dms"}""".formatted(Math.round(1000 * scale), policy, Math.round(30_000 * scale));
    }

    /** Fails the row of a client that failed; the others go on. */
    private Map<Subject, Count> call(WarmPlatform platform, List<Subject> functions, Rows rows) {
        Map<Subject, Future<Count>> running = new TreeMap<>();
        long start = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            progress.report("%d functions are called for %.1f minutes".formatted(functions.size(), scale * MINUTES));
            functions.forEach(function -> running.put(
                    function, threads.submit(() -> call(platform.json(function.name()), function.pattern(), start))));
        }
        Map<Subject, Count> counts = new TreeMap<>();
        running.forEach((function, count) -> {
            switch (count.state()) {
                case SUCCESS -> counts.put(function, count.resultNow());
                case FAILED, CANCELLED, RUNNING -> rows.fail(row(function.pattern()), count.exceptionNow());
            }
        });
        return counts;
    }

    private Count call(Call call, ArrivalPattern pattern, long start) {
        int requests = 0;
        int cold = 0;
        int lateCold = 0;
        for (double time : pattern.times(new Random(SEED))) {
            long due = start + Math.round(time * scale * 1e9);
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            var answer = FirstAnswer.await(call, System.nanoTime(), new FirstAnswer.PollPolicy(POLL, LIMIT, () -> true))
                    .answer();
            int waited = answer.field("Knabla-Start").filter("warm"::equals).isPresent() ? 0 : 1;
            requests++;
            cold += waited;
            lateCold += time > ArrivalPattern.LENGTH / 2 ? waited : 0;
        }
        return new Count(requests, cold, lateCold);
    }

    /** GB·s by function and kind. */
    private static Map<String, Double> memory(WarmPlatform platform) {
        Map<String, Double> memory = new TreeMap<>();
        platform.metrics()
                .lines()
                .filter(line -> line.startsWith("knabla_warm_gb_seconds_total{"))
                .forEach(line -> {
                    String function = line.replaceFirst(".*function=\"([^\"]*)\".*", "$1");
                    String kind = line.replaceFirst(".*kind=\"([^\"]*)\".*", "$1");
                    memory.merge(
                            function + " " + kind,
                            Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                            Double::sum);
                });
        return memory;
    }

    private static Row row(ArrivalPattern pattern, Map<Subject, Count> counts, Map<String, Double> memory) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (Policy policy : Policy.values()) {
            Subject function = new Subject(pattern, policy);
            Count count = counts.get(function);
            details.put(policy + "_requests", count.requests());
            details.put(policy + "_cold", count.cold());
            details.put(policy + "_cold_second_half", count.lateCold());
            details.put(policy + "_used_gb_s", held(memory, function, "used"));
            details.put(policy + "_wasted_gb_s", held(memory, function, "wasted"));
        }
        double own = held(memory, new Subject(pattern, Policy.Adaptive), "wasted");
        double fixed = held(memory, new Subject(pattern, Policy.Fixed), "wasted");
        double ratio = Rounding.significant(own / fixed);
        return new Row(
                new Row.Title(row(pattern), "GB·s", "below Fixed, without more cold starts"),
                own,
                new Row.Reference("Fixed", fixed),
                ratio,
                new Row.Spread(1, ratio, ratio),
                details);
    }

    private static double held(Map<String, Double> memory, Subject function, String kind) {
        return Rounding.significant(memory.getOrDefault(function.name() + " " + kind, 0.0));
    }
}
