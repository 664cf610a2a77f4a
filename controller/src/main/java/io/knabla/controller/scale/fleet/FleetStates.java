package io.knabla.controller.scale.fleet;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Describes a version's replicas and the zones of its nodes as the spot policies see them. */
final class FleetStates {
    /** Prices of virtual nodes are relative: the median of published spot prices is about a third. */
    private static final double SPOT_PRICE = 1;

    private static final double ON_DEMAND_PRICE = 3;

    /** A replica that serves alone leaves so long before its node, or its function's timeout before if that is less. */
    static final Duration LONGEST_DRAIN = Duration.ofSeconds(5);

    private FleetStates() {}

    static FleetState of(FleetInput input, Duration coldStart, List<CapacityEvent> events) {
        int base = Math.min(input.spec().placement().onDemandBase(), input.target());
        // How many may start at once is decided when the plan is carried out.
        var demand = new Demand(input.target(), base, 3 * input.target() + 3, Optional.empty());
        return new FleetState(input.now(), demand, coldStart, zones(input), replicas(input), events);
    }

    static Offering offering(Node node) {
        return switch (node.capacityType()) {
            case Spot -> Offering.spot(node.zone());
            case OnDemand -> Offering.onDemand(node.zone());
        };
    }

    /**
     * Zones with spot nodes of the pool. If there are none, all zones, where spot capacity then saves nothing: what is
     * missing is found when a replica is placed.
     */
    private static List<ZoneOffer> zones(FleetInput input) {
        List<Node> spot = input.nodes().stream()
                .filter(node -> node.pool() == input.spec().chosenPool())
                .filter(node -> node.capacityType() == CapacityType.Spot)
                .toList();
        double price = spot.isEmpty() ? ON_DEMAND_PRICE : SPOT_PRICE;
        List<ZoneOffer> offers = new ArrayList<>((spot.isEmpty() ? input.nodes() : spot)
                .stream()
                        .map(Node::zone)
                        .distinct()
                        .sorted()
                        .map(zone -> ZoneOffer.of(zone, price, ON_DEMAND_PRICE))
                        .toList());
        Collections.rotate(offers, input.turn());
        return offers;
    }

    private static List<Replica> replicas(FleetInput input) {
        return input.replicas().stream()
                .flatMap(replica -> input.nodeOf(replica).stream().map(node -> replica(replica, node, input)))
                .toList();
    }

    private static Replica replica(io.knabla.controller.platform.Replica replica, Node node, FleetInput input) {
        return new Replica(
                replica.id(), offering(node), replica.started(), state(replica), warning(node.name(), input));
    }

    private static State state(io.knabla.controller.platform.Replica replica) {
        return switch (replica.state()) {
            case STARTING -> State.STARTING;
            // It either answers again soon, or fails and is replaced then.
            case READY, UNRESPONSIVE -> State.READY;
            case DRAINING, STOPPED, FAILED -> State.DRAINING;
        };
    }

    private static Warning warning(String node, FleetInput input) {
        CapacitySignal signal = input.signals().get(node);
        if (signal == null) {
            return Warning.NONE;
        }
        return switch (signal.kind()) {
            case REBALANCE_RECOMMENDED -> input.hasSingleWriter() ? Warning.NONE : Warning.REBALANCE;
            case INTERRUPTION_WARNING ->
                mayServeOn(signal, input) ? Warning.INTERRUPTION : Warning.INTERRUPTION_IMMINENT;
            case GONE -> Warning.INTERRUPTION_IMMINENT;
        };
    }

    private static boolean mayServeOn(CapacitySignal warning, FleetInput input) {
        Duration timeout = input.spec().timeout();
        Duration drain = timeout.compareTo(LONGEST_DRAIN) < 0 ? timeout : LONGEST_DRAIN;
        return !input.hasSingleWriter() && warning.left(input.now()).compareTo(drain) > 0;
    }
}
