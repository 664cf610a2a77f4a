package io.knabla.controller.spot.policy;

/** What a plan says of one replica. */
public sealed interface PlanLine {
    Reason reason();

    /** Launch a replica; a refusal is answered by an event at the next decision. */
    record Launch(Offering offering, Reason reason) implements PlanLine {}

    /** @param routed whether requests go to the replica */
    record Keep(String replica, boolean routed, Reason reason) implements PlanLine {}

    /** Route no more requests to the replica, let it finish those that it has, then stop it. */
    record Drain(String replica, Reason reason) implements PlanLine {}
}
