package io.knabla.controller.simulate.warm.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Collects the requests of one function in any order. */
final class Requests {
    private long[] starts = new long[8];
    private int[] durations = new int[8];
    private int[] counts = new int[8];
    private int size;
    private boolean ascending = true;

    void add(double startSeconds, double durationSeconds, int count) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            durations = Arrays.copyOf(durations, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        starts[size] = Math.round(1e3 * startSeconds);
        durations[size] = (int) Math.round(1e3 * durationSeconds);
        counts[size] = count;
        ascending &= size == 0 || starts[size] >= starts[size - 1];
        size++;
    }

    FunctionTrace of(String name, OptionalDouble memoryGb) {
        if (ascending) {
            return new FunctionTrace(
                    name,
                    memoryGb,
                    Arrays.copyOf(starts, size),
                    Arrays.copyOf(durations, size),
                    Arrays.copyOf(counts, size));
        }
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingLong(i -> starts[i]))
                .mapToInt(i -> i)
                .toArray();
        return new FunctionTrace(
                name,
                memoryGb,
                Arrays.stream(order).mapToLong(i -> starts[i]).toArray(),
                Arrays.stream(order).map(i -> durations[i]).toArray(),
                Arrays.stream(order).map(i -> counts[i]).toArray());
    }
}
