package io.knabla.controller.warm.act;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.runtime.http.LatencyBuckets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Histograms of the start phases of each function's replicas, by kind of start. Each replica counts once. */
final class StartMeters {
    /** A phase that each replica reports itself; a pod's status alone has whole seconds and no such phase. */
    private static final String REPORTED = "fetch";

    private final MeterRegistry registry;
    private final Map<FunctionId, Starts> functions = new HashMap<>();

    private static final class Starts {
        final Set<String> counted = new HashSet<>();
        final Set<Timer> timers = new HashSet<>();
    }

    StartMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * @param running replicas of the function
     * @param count false for replicas that another controller has counted
     */
    void observe(FunctionId function, Collection<ReplicaInterval> running, boolean count) {
        Starts starts = functions.computeIfAbsent(function, _ -> new Starts());
        starts.counted.retainAll(running.stream().map(ReplicaInterval::id).toList());
        for (ReplicaInterval replica : running) {
            if (replica.startPhases().containsKey(REPORTED) && starts.counted.add(replica.id()) && count) {
                replica.startPhases().forEach((phase, time) -> {
                    Timer timer = timer(replica, phase);
                    starts.timers.add(timer);
                    timer.record(time);
                });
            }
        }
    }

    private Timer timer(ReplicaInterval replica, String phase) {
        return Timer.builder("knabla.start.phase")
                .description("Phases of replicas' starts; kind: cold, or pooled from a process started ahead")
                .tags("namespace", replica.namespace(), "function", replica.function(), "phase", phase)
                .tag("kind", replica.startKind().name().toLowerCase(Locale.ROOT))
                .serviceLevelObjectives(LatencyBuckets.BOUNDS.toArray(Duration[]::new))
                .register(registry);
    }

    void remove(FunctionId function) {
        Starts starts = functions.remove(function);
        if (starts != null) {
            starts.timers.forEach(registry::remove);
        }
    }
}
