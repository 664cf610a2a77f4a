package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.simulate.warm.trace.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Traces for tests. */
final class Traces {
    private Traces() {}

    /** One function of 1 GB whose requests take 100 ms. */
    static Trace at(long... seconds) {
        return Trace.of("test", List.of(function("f", 100, seconds)));
    }

    static FunctionTrace function(String name, int durationMillis, long... seconds) {
        int[] durations = new int[seconds.length];
        Arrays.fill(durations, durationMillis);
        int[] counts = new int[seconds.length];
        Arrays.fill(counts, 1);
        return new FunctionTrace(
                name,
                OptionalDouble.of(1),
                Arrays.stream(seconds).map(second -> 1000 * second).toArray(),
                durations,
                counts);
    }

    static FunctionTrace ofOneGb(FunctionTrace function) {
        return new FunctionTrace(
                function.name(),
                OptionalDouble.of(1),
                function.startMillis(),
                function.durationMillis(),
                function.requests());
    }

    static Trace every(long periodSeconds, int times) {
        long[] seconds = new long[times];
        Arrays.setAll(seconds, i -> i * periodSeconds);
        return at(seconds);
    }
}
