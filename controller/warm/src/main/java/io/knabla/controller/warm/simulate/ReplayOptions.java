package io.knabla.controller.warm.simulate;

import java.util.OptionalDouble;

/**
 * How a trace is replayed.
 *
 * @param replicaGb memory of a replica where the trace states none
 * @param concurrency requests that a replica executes at a time
 * @param budgetGb memory of all replicas together; idle ones are evicted by Greedy-Dual, and a request that still finds
 *     no room is refused
 * @param measureFromMillis requests and memory before are only learned from
 * @param startSpread sigma of the log-normal factor on the seconds of each start, of mean 1; 0 for none
 * @param seed of those factors
 */
public record ReplayOptions(
        double replicaGb,
        int concurrency,
        OptionalDouble budgetGb,
        long measureFromMillis,
        double startSpread,
        long seed) {
    public static final double DEFAULT_REPLICA_GB = 0.536870912;

    public ReplayOptions {
        if (!(replicaGb > 0) || concurrency < 1 || measureFromMillis < 0 || !(startSpread >= 0)) {
            throw new IllegalArgumentException(
                    "a replica needs memory and a concurrency from 1; times are not negative");
        }
    }

    public static ReplayOptions defaults() {
        return new ReplayOptions(DEFAULT_REPLICA_GB, 1, OptionalDouble.empty(), 0, 0, 0);
    }

    public ReplayOptions withBudget(double gb) {
        return new ReplayOptions(replicaGb, concurrency, OptionalDouble.of(gb), measureFromMillis, startSpread, seed);
    }

    public ReplayOptions measuredFrom(long millis) {
        return new ReplayOptions(replicaGb, concurrency, budgetGb, millis, startSpread, seed);
    }

    ReplayOptions withSeed(long other) {
        return new ReplayOptions(replicaGb, concurrency, budgetGb, measureFromMillis, startSpread, other);
    }
}
