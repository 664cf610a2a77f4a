package io.knabla.controller.scale.fleet;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.spot.live.FleetInput;
import io.knabla.controller.spot.live.FleetRules;
import io.knabla.controller.spot.live.LiveReplica;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Translates the platform's nodes and replicas into the input of placement plans.
 *
 * @param absent spot nodes that are gone, but whose zones offer capacity still: the next pending replica may bring one
 * @param signals by node, of nodes that have one
 */
public record FleetView(
        Collection<Node> nodes, Collection<Node> absent, Map<String, CapacitySignal> signals, NodePrices prices) {
    public FleetView(Collection<Node> nodes, Map<String, CapacitySignal> signals, NodePrices prices) {
        this(nodes, List.of(), signals, prices);
    }

    /**
     * @param target replicas that should be ready, at most {@code scaling.max}
     * @param replicas of the version, those that drain included, those that have ended not
     * @param inFlight requests that a replica works on, by its id
     * @param turn rotates the order of the zones, so that versions do not all prefer the same zone; not negative
     */
    public FleetInput input(
            Instant now,
            FunctionSpec spec,
            int target,
            List<Replica> replicas,
            ToIntFunction<String> inFlight,
            int turn) {
        return new FleetInput(
                now,
                rules(spec),
                target,
                replicas.stream().map(this::live).toList(),
                new ZoneOffers(offered(), prices, turn).of(spec.chosenPool()),
                inFlight);
    }

    private List<Node> offered() {
        return Stream.concat(nodes.stream(), absent.stream()).toList();
    }

    /** Whether spot capacity of the pool may be had. */
    public boolean offersSpot(Pool pool) {
        return offered().stream().anyMatch(node -> node.capacityType() == CapacityType.Spot && node.pool() == pool);
    }

    /** Whether a node is gone, or taken back. */
    public boolean isLost(String node) {
        boolean exists = nodes.stream().anyMatch(it -> it.name().equals(node));
        return !exists
                || Optional.ofNullable(signals.get(node))
                        .filter(CapacitySignal::isInterruption)
                        .isPresent();
    }

    public static Offering offering(Node node) {
        return switch (node.capacityType()) {
            case Spot -> Offering.spot(node.zone());
            case OnDemand -> Offering.onDemand(node.zone());
        };
    }

    private static FleetRules rules(FunctionSpec spec) {
        return new FleetRules(
                SpotPolicies.of(spec),
                spec.scaling().max(),
                spec.placement().onDemandBase(),
                spec.placement().leastOnDemand(),
                spec.timeout(),
                spec.hasSingleWriter());
    }

    private LiveReplica live(Replica replica) {
        Optional<Node> node =
                nodes.stream().filter(it -> it.name().equals(replica.node())).findFirst();
        return new LiveReplica(
                replica.id(),
                replica.node(),
                node.map(FleetView::offering),
                replica.started(),
                state(replica),
                node.filter(it -> it.purchase() == Purchase.Reserved).isPresent(),
                Optional.ofNullable(signals.get(replica.node())));
    }

    private static State state(Replica replica) {
        return switch (replica.state()) {
            case STARTING -> State.STARTING;
            // It either answers again soon, or fails and is replaced then.
            case READY, UNRESPONSIVE -> State.READY;
            case DRAINING, STOPPED, FAILED -> State.DRAINING;
        };
    }
}
