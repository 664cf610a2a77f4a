package io.knabla.controller.scale.fleet;

import io.knabla.controller.spot.policy.Reason;

/** Explains the reasons of plans to people. */
public final class ReasonTexts {
    private ReasonTexts() {}

    public static String of(Reason reason) {
        return switch (reason.cause()) {
            case NEEDED -> "the load needs it";
            case ON_DEMAND_BASE -> "placement.onDemandBase asks for it";
            case COVERS_MISSING_SPOT -> "stands in for spot capacity that is missing or not ready";
            case HEDGE -> "covers the loss of a zone";
            case SPOT_IS_READY -> "spot capacity is ready in its place";
            case SURPLUS -> "more replicas than needed";
            case SAFER_ZONE -> "another zone is safer";
            case INTERRUPTION_WARNING -> "its node is taken back";
            case REBALANCE_RECOMMENDED ->
                "its node is at a higher risk of an interruption, and its replacement is ready";
            case REPLACEMENT_STARTING -> "serves until its replacement is ready";
            case DRAINING -> "finishes its requests";
            case DEADLINE_AT_RISK, BEHIND_SCHEDULE -> "its work would miss its deadline on spot capacity";
            case SPOT_AVAILABLE -> "spot capacity is available";
            case JOB_DONE -> "its work is done";
            case FORESEEN -> "known from the trace";
        };
    }
}
