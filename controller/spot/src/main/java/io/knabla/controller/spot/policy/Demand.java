package io.knabla.controller.spot.policy;

import java.util.Optional;

/**
 * How much capacity is wanted.
 *
 * @param target replicas that should be ready
 * @param onDemandBase of them, those that must be on demand
 * @param maxReplicas replicas that may exist at once, of all kinds, those that drain left out
 * @param job the work to finish by a deadline, if that is what the replicas are for
 */
public record Demand(int target, int onDemandBase, int maxReplicas, Optional<DeadlineProgress> job) {
    public Demand {
        if (target < 0 || onDemandBase < 0 || maxReplicas < target) {
            throw new IllegalArgumentException(
                    "need 0 <= target <= maxReplicas and 0 <= onDemandBase, but target is %d, maxReplicas %d, onDemandBase %d"
                            .formatted(target, maxReplicas, onDemandBase));
        }
    }

    /** A target without an on-demand base; replicas may be replaced by as many again, and one more. */
    public static Demand of(int target) {
        return new Demand(target, 0, 3 * target + 3, Optional.empty());
    }

    public Demand withJob(DeadlineProgress progress) {
        return new Demand(target, onDemandBase, maxReplicas, Optional.of(progress));
    }
}
