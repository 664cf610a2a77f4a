package io.knabla.controller.billing;

import io.knabla.controller.usage.Interval;

/**
 * Usage that no price is known for. It is left out of the sums.
 *
 * @param row id of the node's or the replica's row
 * @param subject what a price was looked for, such as {@code m7i.large us-east-1}
 * @param time when, within the report's period
 */
public record Unpriced(Reason reason, String row, String subject, Interval time) {
    /** Why there is no price. */
    public enum Reason {
        NO_ON_DEMAND_PRICE,
        NO_SPOT_PRICE,
        NO_COMMITTED_PRICE,
        NO_LAMBDA_RATES,
        NO_FARGATE_RATES,
        NO_FARGATE_SPOT_RATES,
        /** The offer has no GPUs, and the user declared no rate of one that has. */
        NO_SERVERLESS_GPU_RATE,
        GPU_NOT_OFFERED,
        /** More CPUs or memory than the offer's largest size. */
        TOO_LARGE,
        /** The row names a node that is unknown, so its region is as well. */
        UNKNOWN_REGION
    }
}
