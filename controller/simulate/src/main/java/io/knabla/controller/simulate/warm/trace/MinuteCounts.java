package io.knabla.controller.simulate.warm.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Makes a trace of counts of requests per minute; those of a minute are spread over it at random. */
public final class MinuteCounts {
    private final Map<String, TreeMap<Long, Count>> functions = new TreeMap<>();

    private record Count(int requests, double seconds) {}

    /**
     * Sets what a function did in a minute.
     *
     * @param seconds that all of these requests took together
     */
    public void add(String function, long minute, int requests, double seconds) {
        if (requests > 0) {
            functions.computeIfAbsent(function, _ -> new TreeMap<>()).put(minute, new Count(requests, seconds));
        }
    }

    /** Begins with the first minute of any function, and ends with the last. */
    public Trace trace(String name, long seed) {
        long first =
                functions.values().stream().mapToLong(TreeMap::firstKey).min().orElse(0);
        long last =
                functions.values().stream().mapToLong(TreeMap::lastKey).max().orElse(first - 1);
        List<FunctionTrace> traces = new ArrayList<>();
        functions.forEach((function, minutes) -> {
            var requests = new Requests();
            var random = new SplittableRandom(seed ^ function.hashCode());
            minutes.forEach((minute, count) -> Azure2019.spread(
                    requests, 60.0 * (minute - first), count.requests, count.seconds / count.requests, random));
            traces.add(requests.of(function, OptionalDouble.empty()));
        });
        return new Trace(name, traces, (last - first + 1) * 60_000);
    }
}
