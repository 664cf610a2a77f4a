package io.knabla.hostile;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of the hostile connections of one kind. Thread-safe. */
final class Tally {
    static final String CLOSED = "closed without an answer";

    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    void count(String what) {
        counts.computeIfAbsent(what, _ -> new LongAdder()).increment();
    }

    long of(String what) {
        return counts.getOrDefault(what, new LongAdder()).sum();
    }

    long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
