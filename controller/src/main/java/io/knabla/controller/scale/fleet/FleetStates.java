package io.knabla.controller.scale.fleet;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.NodePrices.Hourly;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Describes a version's replicas and the zones of its nodes as the spot policies see them. */
final class FleetStates {
    /** Where a price is not known, spot costs a third of on demand, about the median of published prices. */
    private static final double SPOT_PRICE = 1;

    /** Prices are relative to this one, so that a price that becomes known is no change of the market. */
    private static final double ON_DEMAND_PRICE = 3;

    /** A replica that serves alone leaves so long before its node, or its function's timeout before if that is less. */
    static final Duration LONGEST_DRAIN = Duration.ofSeconds(5);

    private FleetStates() {}

    static FleetState of(FleetInput input, NodePrices prices, Duration coldStart, List<CapacityEvent> events) {
        // Replicas on reserved nodes stay there: they cost nothing more.
        int base = Math.min(Math.max(input.spec().placement().onDemandBase(), reserved(input)), input.target());
        // How many may start at once is decided when the plan is carried out.
        var demand = new Demand(input.target(), base, 3 * input.target() + 3, Optional.empty());
        return new FleetState(input.now(), demand, coldStart, zones(input, prices), replicas(input), events);
    }

    private static int reserved(FleetInput input) {
        return (int) input.replicas().stream()
                .filter(replica -> state(replica) != State.DRAINING)
                .filter(replica -> input.nodeOf(replica)
                        .filter(node -> node.purchase() == Purchase.Reserved)
                        .isPresent())
                .count();
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
    private static List<ZoneOffer> zones(FleetInput input, NodePrices prices) {
        List<Node> spot = input.nodes().stream()
                .filter(node -> node.pool() == input.spec().chosenPool())
                .filter(node -> node.capacityType() == CapacityType.Spot)
                .toList();
        List<ZoneOffer> offers = new ArrayList<>(spot.isEmpty() ? withoutSpot(input) : priced(spot, prices));
        Collections.rotate(offers, input.turn());
        return offers;
    }

    private static List<ZoneOffer> withoutSpot(FleetInput input) {
        return input.nodes().stream()
                .map(Node::zone)
                .distinct()
                .sorted()
                .map(zone -> ZoneOffer.of(zone, ON_DEMAND_PRICE, ON_DEMAND_PRICE))
                .toList();
    }

    /** A zone costs what its cheapest node costs. Unless all prices are known, none is used: they would not compare. */
    private static List<ZoneOffer> priced(List<Node> spot, NodePrices prices) {
        Map<String, Hourly> zones = new TreeMap<>();
        boolean known = true;
        for (Node node : spot) {
            Optional<Hourly> price = prices.of(node);
            known &= price.isPresent();
            zones.merge(
                    node.zone(),
                    price.orElse(new Hourly(SPOT_PRICE, ON_DEMAND_PRICE)),
                    BinaryOperator.minBy(Comparator.comparingDouble(Hourly::spot)));
        }
        if (!known) {
            zones.replaceAll((_, _) -> new Hourly(SPOT_PRICE, ON_DEMAND_PRICE));
        }
        double least =
                zones.values().stream().mapToDouble(Hourly::onDemand).min().orElseThrow();
        double unit = ON_DEMAND_PRICE / least;
        return zones.entrySet().stream()
                .map(zone -> ZoneOffer.of(
                        zone.getKey(),
                        zone.getValue().spot() * unit,
                        zone.getValue().onDemand() * unit))
                .toList();
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
            case REBALANCE_RECOMMENDED -> input.spec().hasSingleWriter() ? Warning.NONE : Warning.REBALANCE;
            case INTERRUPTION_WARNING ->
                mayServeOn(signal, input) ? Warning.INTERRUPTION : Warning.INTERRUPTION_IMMINENT;
            case GONE -> Warning.INTERRUPTION_IMMINENT;
        };
    }

    private static boolean mayServeOn(CapacitySignal warning, FleetInput input) {
        Duration timeout = input.spec().timeout();
        Duration drain = timeout.compareTo(LONGEST_DRAIN) < 0 ? timeout : LONGEST_DRAIN;
        return !input.spec().hasSingleWriter() && warning.left(input.now()).compareTo(drain) > 0;
    }
}
