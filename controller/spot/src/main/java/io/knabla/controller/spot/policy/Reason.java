package io.knabla.controller.spot.policy;

import java.util.Map;

/**
 * Why a plan has a line.
 *
 * @param facts numbers that the decision rests on, by name
 */
public record Reason(Cause cause, Map<String, Double> facts) {
    /** Causes, one for each rule of a policy. */
    public enum Cause {
        /** The target needs the replica. */
        NEEDED,
        /** The demand asks for so many on demand in any case. */
        ON_DEMAND_BASE,
        /** Spot replicas are missing, or are not ready yet. */
        COVERS_MISSING_SPOT,
        /** An extra replica for the loss of a zone. */
        HEDGE,
        /** Spot replicas are ready in its place. */
        SPOT_IS_READY,
        /** More replicas than wanted. */
        SURPLUS,
        /** Another zone is expected to lose fewer replicas. */
        SAFER_ZONE,
        /** Its node is taken back within the notice. */
        INTERRUPTION_WARNING,
        /** Its node is at a higher risk; a replacement is started first. */
        REBALANCE_RECOMMENDED,
        /** Serves until its replacement is ready. */
        REPLACEMENT_STARTING,
        /** Already on its way out. */
        DRAINING,
        /** The deadline can be met only on demand. */
        DEADLINE_AT_RISK,
        BEHIND_SCHEDULE,
        SPOT_AVAILABLE,
        JOB_DONE,
        /** Known from the trace. */
        FORESEEN
    }

    public Reason {
        facts = Map.copyOf(facts);
    }

    public static Reason of(Cause cause) {
        return new Reason(cause, Map.of());
    }
}
