package io.knabla.runtime.serve;

import io.knabla.functions.unit.usage.Counters;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what only some protocols count, such as tokens, by name; the replica's totals and metrics include it. */
final class WorkCounters {
    private final Map<String, LongAdder> byName = new ConcurrentHashMap<>();

    /**
     * @param name see {@link Counters}
     * @param more 0 or more
     */
    void add(String name, long more) {
        byName.computeIfAbsent(name, WorkCounters::counter).add(more);
    }

    private static LongAdder counter(String name) {
        if (!Counters.isName(name)) {
            throw new IllegalArgumentException("'" + name + "' is no name of a counter; use letters a to z and _");
        }
        return new LongAdder();
    }

    Counters counts() {
        if (byName.isEmpty()) {
            return Counters.NONE;
        }
        Map<String, Long> counts = new HashMap<>();
        byName.forEach((name, count) -> counts.put(name, count.sum()));
        return new Counters(counts);
    }
}
