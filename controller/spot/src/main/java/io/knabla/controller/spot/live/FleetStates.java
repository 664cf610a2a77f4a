package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Describes a version's replicas, their warnings and its demand as the spot policies see them. */
final class FleetStates {
    /** A replica that serves alone leaves so long before its node, or its function's timeout before if that is less. */
    static final Duration LONGEST_DRAIN = Duration.ofSeconds(5);

    private FleetStates() {}

    static FleetState of(FleetInput input, Duration coldStart, List<CapacityEvent> events) {
        // Replicas on reserved nodes stay there: they cost nothing more.
        int base = Math.min(Math.max(input.rules().onDemandBase(), reserved(input)), input.target());
        // How many may start at once is decided when the plan is carried out.
        var demand = new Demand(input.target(), base, 3 * input.target() + 3, Optional.empty());
        return new FleetState(input.now(), demand, coldStart, input.zones(), replicas(input), events);
    }

    private static int reserved(FleetInput input) {
        return (int) input.replicas().stream()
                .filter(replica -> replica.isReserved() && replica.state() != State.DRAINING)
                .count();
    }

    private static List<Replica> replicas(FleetInput input) {
        return input.replicas().stream()
                .flatMap(replica -> replica.offering().map(offering -> replica(replica, offering, input)).stream())
                .toList();
    }

    private static Replica replica(LiveReplica replica, Offering offering, FleetInput input) {
        Warning warning = replica.signal().map(signal -> warning(signal, input)).orElse(Warning.NONE);
        return new Replica(replica.id(), offering, replica.launchedAt(), replica.state(), warning);
    }

    private static Warning warning(CapacitySignal signal, FleetInput input) {
        return switch (signal.kind()) {
            case REBALANCE_RECOMMENDED -> input.rules().hasSingleWriter() ? Warning.NONE : Warning.REBALANCE;
            case INTERRUPTION_WARNING ->
                mayServeOn(signal, input) ? Warning.INTERRUPTION : Warning.INTERRUPTION_IMMINENT;
            case GONE -> Warning.INTERRUPTION_IMMINENT;
        };
    }

    private static boolean mayServeOn(CapacitySignal warning, FleetInput input) {
        Duration timeout = input.rules().timeout();
        Duration drain = timeout.compareTo(LONGEST_DRAIN) < 0 ? timeout : LONGEST_DRAIN;
        return !input.rules().hasSingleWriter() && warning.left(input.now()).compareTo(drain) > 0;
    }
}
