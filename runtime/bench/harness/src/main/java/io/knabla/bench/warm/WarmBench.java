package io.knabla.bench.warm;

import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * {@code bench warm}: one platform, on this machine or on a cluster, with a function for each policy and each kind of
 * client, called at the same times. Counts the answers that say {@code Knabla-Start: cold}; memory over time is the
 * platform's own metric.
 */
public final class WarmBench {
    public static final double MINUTES = ArrivalPattern.LENGTH / 60;
    private static final long SEED = 17;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PREFIX = "warm-";

    private final Function<BenchModel, WarmPlatform> platforms;
    private final double scale;
    private final Predicate<String> wanted;
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
    public WarmBench(
            Distribution distribution, double minutes, boolean cluster, Predicate<String> wanted, Progress progress) {
        this.platforms =
                model -> cluster ? ClusterPlatform.open(distribution, model) : new LocalPlatform(distribution, model);
        this.scale = minutes / MINUTES;
        this.wanted = wanted;
        this.progress = progress;
    }

    public List<Row> run() {
        List<Subject> functions = functions();
        if (functions.isEmpty()) {
            return List.of();
        }
        Path folder = Folders.temporary();
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
        try (WarmPlatform platform = platforms.apply(model)) {
            progress.report("deploying %d functions".formatted(functions.size()));
            functions.forEach(function -> platform.deploy(function.name(), spec(function.policy())));
            Map<String, Double> before = memory(platform);
            Map<Subject, Count> counts = call(platform, functions);
            Map<String, Double> after = memory(platform);
            after.replaceAll((series, value) -> value - before.getOrDefault(series, 0.0));
            return rows(counts, after);
        } finally {
            Folders.delete(folder);
        }
    }

    private List<Subject> functions() {
        List<Subject> functions = new ArrayList<>();
        for (ArrivalPattern pattern : ArrivalPattern.values()) {
            if (wanted.test(PREFIX + pattern)) {
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

    private Map<Subject, Count> call(WarmPlatform platform, List<Subject> functions) {
        Map<Subject, Future<Count>> running = new TreeMap<>();
        long start = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            progress.report("%d functions are called for %.1f minutes".formatted(functions.size(), scale * MINUTES));
            functions.forEach(function -> running.put(
                    function, threads.submit(() -> call(platform.json(function.name()), function.pattern(), start))));
        }
        Map<Subject, Count> counts = new TreeMap<>();
        running.forEach((function, count) -> counts.put(function, result(count)));
        return counts;
    }

    private static Count result(Future<Count> ended) {
        try {
            return ended.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a client failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
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

    private static List<Row> rows(Map<Subject, Count> counts, Map<String, Double> memory) {
        return counts.keySet().stream()
                .map(Subject::pattern)
                .distinct()
                .map(pattern -> row(pattern, counts, memory))
                .toList();
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
                new Row.Title(PREFIX + pattern, "GB·s", "below Fixed, without more cold starts"),
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
