package io.knabla.controller.cost.scenario;

import java.math.BigDecimal;

/**
 * Something that a scenario takes for granted.
 *
 * @param subject what it is about, such as a function or an instance type; empty if all rows
 * @param value a fraction, a count, or seconds, as the kind states
 */
public record Assumption(Kind kind, String subject, BigDecimal value) {
    /** Kinds of assumptions. */
    public enum Kind {
        /** The instances would have run for the same time. Value: the number of nodes that had another offer. */
        SAME_TIME_UNDER_OTHER_OFFER,
        /** What interruptions add to nodes that ran on demand, as stated by the user. Value: fraction of their cost. */
        INTERRUPTION_SHARE_STATED,
        /** The same, measured in these rows on their spot nodes. Value: fraction. */
        INTERRUPTION_SHARE_MEASURED,
        /** No spot node ran and nothing was stated, so interruptions add nothing. Value: zero. */
        INTERRUPTION_SHARE_UNKNOWN,
        /** Average use was not recorded, so all of what was reserved counts as used. Value: number of replicas. */
        USE_NOT_MEASURED,
        /** Work is spread evenly over the time a replica was ready, part of it outside. Value: number of replicas. */
        WORK_SPREAD_EVENLY,
        /** Requests of one replica took equally long. Value: number of requests. */
        REQUESTS_EQUALLY_LONG,
        /** Memory of a function. Value: MB. */
        LAMBDA_MEMORY,
        /** Initialisation of functions is not charged. Value: number of replicas that were started. */
        LAMBDA_START_NOT_CHARGED,
        /** What the account used in a month before the period. Value: GB-seconds. */
        LAMBDA_USED_BEFORE,
        /** Size of a task. Value: vCPUs. */
        FARGATE_VCPUS,
        /** Size of a task. Value: MiB. */
        FARGATE_MEMORY,
        /** Instances that are committed, as stated by the user. Value: their number. */
        COMMITTED_STATED,
        /** Instances that are committed: as many as ran at once at most. Value: their number. */
        COMMITTED_PEAK,
        /** A version without replicas keeps one, on a share of the node that its last one had. Value: seconds. */
        KEPT_WARM_ON_SAME_NODE
    }

    static Assumption count(Kind kind, long value) {
        return new Assumption(kind, "", BigDecimal.valueOf(value));
    }
}
