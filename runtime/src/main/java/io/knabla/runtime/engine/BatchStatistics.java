package io.knabla.runtime.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts runs by the number of rows that they computed. Thread-safe. */
public final class BatchStatistics {
    /** More sizes than any batching makes; clients that send others are counted at the next lower power of two. */
    private static final int MOST_SIZES = 1024;

    private final Map<Long, Counter> bySize = new ConcurrentHashMap<>();

    private record Counter(LongAdder runs, LongAdder nanos) {}

    /** Runs of one size, and their time in total. */
    public record Count(long runs, long nanos) {}

    void add(long rows, long nanos) {
        Counter known = bySize.get(rows);
        if (known == null) {
            long size = bySize.size() < MOST_SIZES ? rows : Long.highestOneBit(rows);
            known = bySize.computeIfAbsent(size, _ -> new Counter(new LongAdder(), new LongAdder()));
        }
        known.runs().increment();
        known.nanos().add(nanos);
    }

    /** Counts by the number of rows, smallest first. */
    public Map<Long, Count> counts() {
        var counts = new TreeMap<Long, Count>();
        bySize.forEach((rows, counter) ->
                counts.put(rows, new Count(counter.runs().sum(), counter.nanos().sum())));
        return counts;
    }
}
