package io.knabla.controller.spot.signal;

import java.time.Duration;
import java.time.Instant;

/**
 * A provider's notice about one of its nodes: a rebalance recommendation, a warning that the node will be taken back,
 * or the news that it was.
 *
 * @param node its name; where only the provider's name is known, that of the instance
 * @param until when the node is taken back, when a node that is gone may return, or when a recommendation lapses
 */
public record CapacitySignal(String node, Kind kind, Instant until) {
    /** From the weakest to the strongest. */
    public enum Kind {
        /** The node is at a higher risk of an interruption: EC2's rebalance recommendation. */
        REBALANCE_RECOMMENDED,
        /** The node will be taken back: EC2's spot interruption warning. */
        INTERRUPTION_WARNING,
        /** The node was taken back, with all that ran on it. */
        GONE
    }

    /** The same of the node of this name. */
    public CapacitySignal of(String name) {
        return new CapacitySignal(name, kind, until);
    }

    /** Whether the node was taken back, or will be. */
    public boolean isInterruption() {
        return switch (kind) {
            case REBALANCE_RECOMMENDED -> false;
            case INTERRUPTION_WARNING, GONE -> true;
        };
    }

    /** Time left until {@link #until}, never negative. */
    public Duration left(Instant now) {
        return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    }

    /** Whether it tells more than an earlier signal of the same node: a stronger kind, or an earlier end. */
    public boolean supersedes(CapacitySignal earlier) {
        return kind == earlier.kind ? until.isBefore(earlier.until) : kind.compareTo(earlier.kind) > 0;
    }
}
