package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.CostPart;

/** What a cost was paid for, as reports show it: one column each. */
public enum CostKind {
    USE,
    /** Replicas that had no request, resources that no replica held, and committed time without a node. */
    IDLE,
    COLD_START,
    OVER_PROVISION,
    INTERRUPTION,
    OVERHEAD;

    public static CostKind of(CostPart part) {
        return switch (part) {
            case USE -> USE;
            case COLD_START -> COLD_START;
            case IDLE_WHILE_READY, NODE_IDLE, UNUSED_COMMITMENT, KEPT_WARM -> IDLE;
            case OVER_PROVISION -> OVER_PROVISION;
            case INTERRUPTION -> INTERRUPTION;
            case OVERHEAD -> OVERHEAD;
        };
    }
}
