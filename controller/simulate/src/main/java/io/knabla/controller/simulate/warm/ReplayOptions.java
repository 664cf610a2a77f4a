package io.knabla.controller.simulate.warm;

import io.knabla.controller.warm.live.KeepWarmTiming;
import java.time.Duration;
import java.util.Optional;
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
 * @param platform that acts on the policies' decisions in rounds; empty for the way of the papers, where each decision
 *     takes effect at once and to the millisecond
 */
public record ReplayOptions(
        double replicaGb,
        int concurrency,
        OptionalDouble budgetGb,
        long measureFromMillis,
        double startSpread,
        long seed,
        Optional<PlatformOptions> platform) {
    public static final double DEFAULT_REPLICA_GB = 0.536870912;

    /**
     * A replay by the platform's own rounds.
     *
     * @param idleAfter how long a replica stays without requests in any case
     */
    public record PlatformOptions(KeepWarmTiming timing, Duration idleAfter) {}

    public ReplayOptions {
        if (!(replicaGb > 0) || concurrency < 1 || measureFromMillis < 0 || !(startSpread >= 0)) {
            throw new IllegalArgumentException(
                    "a replica needs memory and a concurrency from 1; times are not negative");
        }
    }

    public static ReplayOptions defaults() {
        return new ReplayOptions(DEFAULT_REPLICA_GB, 1, OptionalDouble.empty(), 0, 0, 0, Optional.empty());
    }

    public ReplayOptions withBudget(double gb) {
        return new ReplayOptions(
                replicaGb, concurrency, OptionalDouble.of(gb), measureFromMillis, startSpread, seed, platform);
    }

    public ReplayOptions measuredFrom(long millis) {
        return new ReplayOptions(replicaGb, concurrency, budgetGb, millis, startSpread, seed, platform);
    }

    ReplayOptions withSeed(long other) {
        return new ReplayOptions(replicaGb, concurrency, budgetGb, measureFromMillis, startSpread, other, platform);
    }

    public ReplayOptions on(PlatformOptions platform) {
        return new ReplayOptions(
                replicaGb, concurrency, budgetGb, measureFromMillis, startSpread, seed, Optional.of(platform));
    }
}
