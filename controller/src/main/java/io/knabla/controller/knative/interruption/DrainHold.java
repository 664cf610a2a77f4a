package io.knabla.controller.knative.interruption;

import io.knabla.controller.knative.signal.InterruptionTaint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a PodDisruptionBudget keeps the last ready spot replica of a Revision from being evicted, and why: a
 * pure decision. {@code kubectl drain} evicts as soon as it has cordoned a node, so the budget must be there before.
 */
enum DrainHold {
    /** A replica is on a node that takes replicas; a drain of it must wait. */
    STANDS_BY(true),
    /** All replicas are on nodes that are cordoned or taken back, and requests still go to them. */
    AWAITS_REPLACEMENT(true),
    /** No spot replica is ready. */
    NO_REPLICA(false),
    /** Requests go to on-demand capacity. */
    ROUTED_AWAY(false),
    /** The node must not wait longer. */
    LIMIT(false),
    /** Kubernetes evicts no pod that two budgets select, so a user's own budget stands alone. */
    OTHER_BUDGET(false),
    /** The settings say so. */
    OFF(false);

    private final boolean holds;

    DrainHold(boolean holds) {
        this.holds = holds;
    }

    /**
     * Facts of one Revision.
     *
     * @param nodes for each ready spot replica, the taint of its node; empty if the node takes replicas
     * @param routed whether requests go to the Revision
     * @param otherBudget whether a budget that is not Knabla's selects its pods
     * @param limit longest time for which a drain waits; zero to hold nothing
     */
    record Facts(List<Optional<InterruptionTaint>> nodes, boolean routed, boolean otherBudget, Duration limit) {
        Facts {
            nodes = List.copyOf(nodes);
        }
    }

    boolean holds() {
        return holds;
    }

    static DrainHold of(Facts facts, Instant now) {
        if (facts.limit().isZero()) {
            return OFF;
        }
        if (facts.nodes().isEmpty()) {
            return NO_REPLICA;
        }
        if (facts.otherBudget()) {
            return OTHER_BUDGET;
        }
        if (facts.nodes().stream().anyMatch(Optional::isEmpty)) {
            return STANDS_BY;
        }
        if (!facts.routed()) {
            return ROUTED_AWAY;
        }
        boolean waits = facts.nodes().stream()
                .flatMap(Optional::stream)
                .anyMatch(taint -> now.isBefore(end(taint, facts.limit())));
        return waits ? AWAITS_REPLACEMENT : LIMIT;
    }

    /** When a drain of the node must no longer wait. */
    private static Instant end(InterruptionTaint taint, Duration limit) {
        Instant limited = taint.since().plus(limit);
        return switch (taint.kind()) {
            case GONE -> taint.since();
            case INTERRUPTION_WARNING -> taint.until();
            case REBALANCE_RECOMMENDED -> limited.isBefore(taint.until()) ? limited : taint.until();
        };
    }
}
