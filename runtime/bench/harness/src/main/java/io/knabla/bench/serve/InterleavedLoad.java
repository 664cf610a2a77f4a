package io.knabla.bench.serve;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.report.Progress;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.statistics.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Runs load against all targets: a warm-up for each, then one window each per round, in random order. */
final class InterleavedLoad {
    private final Map<TargetId, List<Window>> windows = new EnumMap<>(TargetId.class);

    private final Plan plan;
    private int repeated;

    private InterleavedLoad(Plan plan) {
        this.plan = plan;
    }

    /** Number of rounds, duration of warm-up and window, and the wait for an idle machine before each window. */
    record Plan(int rounds, Duration warmUp, Duration window, Cooldown rest) {
        static Plan ofRounds(int rounds) {
            return new Plan(rounds, Duration.ofSeconds(6), Duration.ofSeconds(2), Cooldown.DEFAULT);
        }
    }

    static InterleavedLoad run(List<LoadTarget> targets, Plan plan, Progress progress) {
        var load = new InterleavedLoad(plan);
        for (LoadTarget target : targets) {
            progress.report("warming up " + target.player().title());
            target.run(plan.warmUp());
        }
        var order = new ArrayList<>(targets);
        var random = new Random();
        for (int round = 1; round <= plan.rounds(); round++) {
            progress.report("round %d of %d".formatted(round, plan.rounds()));
            Collections.shuffle(order, random);
            for (LoadTarget target : order) {
                load.windows
                        .computeIfAbsent(target.player(), player -> new ArrayList<>())
                        .add(load.undisturbedWindow(target));
            }
        }
        return load;
    }

    /** Runs one window; repeats it if other processes disturbed it, a few times at most. */
    private Window undisturbedWindow(LoadTarget target) {
        while (true) {
            plan.rest().await();
            Window window = target.run(plan.window());
            switch (DisturbancePolicy.DEFAULT.judge(window.foreignShare(), repeated)) {
                case QUIET, TAKEN_ANYWAY -> {
                    return window;
                }
                case REPEAT -> repeated++;
            }
        }
    }

    /** A figure of both, paired by round. */
    PairedSamples pairs(TargetId subject, TargetId reference, ToDoubleFunction<Window> figure) {
        var paired = new PairedSamples();
        List<Window> left = windows.get(subject);
        List<Window> right = windows.get(reference);
        for (int i = 0; i < left.size(); i++) {
            paired.add(figure.applyAsDouble(left.get(i)), figure.applyAsDouble(right.get(i)));
        }
        return paired;
    }

    double median(TargetId player, ToDoubleFunction<Window> figure) {
        double[] values = windows.get(player).stream().mapToDouble(figure).toArray();
        return new Samples(values).median();
    }
}
