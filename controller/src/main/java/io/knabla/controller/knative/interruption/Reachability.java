package io.knabla.controller.knative.interruption;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a node is lost, from connection attempts to its replicas. A busy node is not lost: its kernel accepts
 * connections, or refuses them, whatever its processes do. Pure.
 *
 * @param reached whether an attempt has ever succeeded: simulated nodes, and those that a network policy hides, never
 *     answer
 * @param misses attempts in a row without an answer
 * @param firstMiss time of the first of them; empty without one
 */
record Reachability(boolean reached, int misses, Optional<Instant> firstMiss) {
    static final Reachability UNKNOWN = new Reachability(false, 0, Optional.empty());

    /** The kernel repeats a lost SYN after 1 s only, so one lost packet is a miss. */
    static final int MOST_MISSES = 3;

    /** If no other node can be asked, the fault may be here; within this many misses the kubelet renews its Lease. */
    static final int MOST_MISSES_ALONE = 14;

    /** Clocks of controller and kubelet differ by less. */
    private static final Duration SKEW = Duration.ofSeconds(1);

    /** What the other nodes answered in the same round. */
    enum Others {
        ANSWER,
        SILENT,
        NONE
    }

    enum Verdict {
        REACHABLE,
        NEVER_REACHED,
        /** Too few misses. */
        WAITING,
        /** Other nodes do not answer either: the fault may be the controller's. */
        ISOLATED,
        /** The kubelet renewed its Lease after the first miss. */
        REPORTING,
        LOST
    }

    Reachability after(boolean answered, Instant now) {
        return answered
                ? new Reachability(true, 0, Optional.empty())
                : new Reachability(reached, misses + 1, firstMiss.or(() -> Optional.of(now)));
    }

    /** Without the Lease: {@code LOST} must be confirmed by {@link #confirmed}. */
    Verdict verdict(Others others) {
        if (misses == 0) {
            return Verdict.REACHABLE;
        }
        if (!reached) {
            return Verdict.NEVER_REACHED;
        }
        return switch (others) {
            case ANSWER -> misses < MOST_MISSES ? Verdict.WAITING : Verdict.LOST;
            case SILENT -> Verdict.ISOLATED;
            case NONE -> misses < MOST_MISSES_ALONE ? Verdict.WAITING : Verdict.LOST;
        };
    }

    /** @param renewed when the kubelet last renewed the node's Lease; empty if unknown */
    Verdict confirmed(Optional<Instant> renewed) {
        return renewed.isPresent()
                        && firstMiss.isPresent()
                        && renewed.get().isAfter(firstMiss.get().plus(SKEW))
                ? Verdict.REPORTING
                : Verdict.LOST;
    }
}
