package io.knabla.controller.warm.act;

import io.knabla.controller.catalog.FunctionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Counts the memory that replicas of each function held, in GB·s: with a request, and without. */
final class WarmMeters {
    private final MeterRegistry registry;
    private final Map<FunctionId, Counters> counters = new HashMap<>();

    private record Counters(Counter used, Counter wasted) {}

    WarmMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** @param gbSeconds of all running replicas in this time */
    void held(FunctionId function, int running, int busy, double gbSeconds) {
        if (running > 0) {
            double used = gbSeconds * Math.min(busy, running) / running;
            Counters of =
                    counters.computeIfAbsent(function, id -> new Counters(counter(id, "used"), counter(id, "wasted")));
            of.used.increment(used);
            of.wasted.increment(gbSeconds - used);
        }
    }

    private Counter counter(FunctionId id, String kind) {
        return Counter.builder("knabla.warm.gb.seconds")
                .description(
                        "Memory of replicas over time, in GB of 10^9 bytes: with requests (used), and without (wasted)")
                .tags("namespace", id.namespace(), "function", id.name(), "kind", kind)
                .register(registry);
    }

    void remove(FunctionId function) {
        Counters of = counters.remove(function);
        if (of != null) {
            registry.remove(of.used);
            registry.remove(of.wasted);
        }
    }
}
