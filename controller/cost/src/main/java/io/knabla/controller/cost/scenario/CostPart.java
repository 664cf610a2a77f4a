package io.knabla.controller.cost.scenario;

/**
 * Category of cost: what the money was spent on. The first five are parts of a replica's share of its node. Of the
 * others, what is kept warm and the overhead of a task belong to a function; the rest belongs to no function.
 */
public enum CostPart {
    /** Time in which requests were answered, as far as the resources were used. */
    USE,
    /** Time from a replica's start until it was ready. */
    COLD_START,
    /** Time in which a replica was ready and had no request. */
    IDLE_WHILE_READY,
    /** Resources that were reserved and not used while requests were answered. */
    OVER_PROVISION,
    /** Work that an interruption lost, and replicas that ran beside their replacement. */
    INTERRUPTION,
    /** Resources of a node that no replica held. */
    NODE_IDLE,
    /** Paid seconds in which nothing ran: minimums, rounding up, and what interruptions are assumed to add. */
    OVERHEAD,
    /** Committed time in which no node ran. */
    UNUSED_COMMITMENT,
    /** Replicas that would be kept ready in place of a scale to zero. */
    KEPT_WARM
}
