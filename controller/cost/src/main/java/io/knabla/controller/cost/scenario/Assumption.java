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
        /** Nothing was stated, and no spot node ran or all of its time was lost: nothing is added. Value: zero. */
        INTERRUPTION_SHARE_UNKNOWN,
        /** Average use was not recorded, so all of what was reserved counts as used. Value: number of replicas. */
        USE_NOT_MEASURED,
        /** Work is spread evenly over the time a replica was ready, part of it outside. Value: number of replicas. */
        WORK_SPREAD_EVENLY,
        /** Requests of one replica took equally long. Value: number of requests. */
        REQUESTS_EQUALLY_LONG,
        /** Memory of a function. Value: MB. */
        LAMBDA_MEMORY,
        /**
         * Each replica's boot and load are one charged INIT; Lambda would have more, since each of its instances takes
         * one request at a time. Value: number of replicas that were started.
         */
        LAMBDA_ONE_INIT_PER_REPLICA,
        /** Of several declared serverless GPUs the cheapest is taken, whatever its model. Value: their number. */
        SERVERLESS_GPU_CHEAPEST,
        /** What the account used in a month before the period. Value: GB-seconds. */
        LAMBDA_USED_BEFORE,
        /** Size of a task. Value: vCPUs. */
        FARGATE_VCPUS,
        /** Size of a task. Value: MiB. */
        FARGATE_MEMORY,
        /** Instances that are committed, as stated by the user. Value: their number. */
        COMMITTED_STATED,
        /** Nothing was stated, so as many instances are committed as ran at once at the peak. Value: their number. */
        COMMITTED_PEAK,
        /** A function without replicas keeps one, on a share of the node that its last one had. Value: seconds. */
        KEPT_WARM_ON_SAME_NODE
    }

    static Assumption count(Kind kind, long value) {
        return new Assumption(kind, "", BigDecimal.valueOf(value));
    }
}
