package io.knabla.controller.knative.usage;

import static java.lang.System.Logger.Level.INFO;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.knative.UtilizationNeeds;
import io.knabla.controller.platform.VersionKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Averages the utilization that the pods of each version report, over Knative's stable window, and decides how many
 * replicas it calls for. Pods may report from any thread; one thread decides.
 */
public final class VersionUtilizations implements UtilizationNeeds {
    private static final System.Logger LOG = System.getLogger(VersionUtilizations.class.getName());

    /** Knative's stable window, unless set otherwise. */
    private static final Duration WINDOW = Duration.ofSeconds(60);

    /** Of one pod: it is not trusted. */
    private static final double MOST = 100;

    /** Of a quotient that is a whole number but for the rounding of its two numbers. */
    private static final double ROUNDING = 1e-9;

    private final ToDoubleFunction<VersionKey> target;
    private final InstantSource clock;
    private final Map<VersionKey, Double> reported = new ConcurrentHashMap<>();
    private final Map<VersionKey, Deque<Sum>> sums = new HashMap<>();
    private final FunctionListeners listeners = new FunctionListeners();
    private volatile Map<VersionKey, Integer> minimums = Map.of();

    /** What all pods of a version reported at one time. */
    private record Sum(Instant at, double utilization) {}

    /** @param target {@code scaling.targetUtilization} of a version */
    VersionUtilizations(ToDoubleFunction<VersionKey> target, InstantSource clock) {
        this.target = target;
        this.clock = clock;
    }

    /** @param utilization share of a pod's capacity; above 1 something waits in it */
    void reported(VersionKey version, double utilization) {
        reported.merge(version, Math.clamp(utilization, 0, MOST), Double::sum);
    }

    /** Decides anew, after the pods were asked. */
    void decide() {
        Instant now = clock.instant();
        reported.forEach((version, sum) ->
                sums.computeIfAbsent(version, _ -> new ArrayDeque<>()).add(new Sum(now, sum)));
        reported.clear();
        sums.values().forEach(all -> all.removeIf(sum -> !sum.at().isAfter(now.minus(WINDOW))));
        sums.values().removeIf(Deque::isEmpty);
        Map<VersionKey, Integer> before = minimums;
        minimums = minimums();
        Stream.concat(before.keySet().stream(), minimums.keySet().stream())
                .filter(version -> minimum(before, version) != minimum(minimums, version))
                .distinct()
                .forEach(this::changed);
    }

    private Map<VersionKey, Integer> minimums() {
        Map<VersionKey, Integer> needed = new HashMap<>();
        sums.forEach((version, all) -> {
            int replicas = replicas(average(all), target.applyAsDouble(version));
            if (replicas > 0) {
                needed.put(version, replicas);
            }
        });
        return Map.copyOf(needed);
    }

    private static double average(Deque<Sum> sums) {
        return sums.stream().mapToDouble(Sum::utilization).average().orElse(0);
    }

    /**
     * Knative's formula; zero where one replica is enough, so that requests alone decide whether it runs.
     *
     * @param utilization of all replicas together
     */
    static int replicas(double utilization, double target) {
        int replicas = (int) Math.ceil(utilization / target - ROUNDING);
        return replicas > 1 ? replicas : 0;
    }

    private void changed(VersionKey version) {
        LOG.log(
                INFO,
                "by the utilization that the replicas of version {0} of {1} report, it needs {2} or more of them",
                version.version(),
                version.function(),
                Math.max(1, minimum(minimums, version)));
        listeners.tell(version.function());
    }

    private static int minimum(Map<VersionKey, Integer> minimums, VersionKey version) {
        return minimums.getOrDefault(version, 0);
    }

    @Override
    public int minimum(FunctionId function, int version) {
        return minimum(minimums, new VersionKey(function, version));
    }

    @Override
    public Runnable onChange(Consumer<FunctionId> listener) {
        return listeners.add(listener);
    }
}
