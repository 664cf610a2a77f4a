package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Instant;
import java.util.Optional;

/**
 * One replica of a version as the platform sees it.
 *
 * @param node that it is on; empty text while it has none
 * @param offering of its node; empty without a node, or once that is gone
 * @param isReserved whether its node is paid for in advance
 * @param signal of its node
 */
public record LiveReplica(
        String id,
        String node,
        Optional<Offering> offering,
        Instant launchedAt,
        State state,
        boolean isReserved,
        Optional<CapacitySignal> signal) {
    boolean isInterrupted() {
        return signal.filter(CapacitySignal::isInterruption).isPresent();
    }

    LiveReplica in(State other) {
        return new LiveReplica(id, node, offering, launchedAt, other, isReserved, signal);
    }
}
