package io.knabla.controller.knative.placement;

import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.knative.CapacitySplit;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.KpaPolicy;
import io.knabla.controller.scale.fleet.FleetInput;
import io.knabla.controller.scale.fleet.FleetPlan;
import io.knabla.controller.scale.fleet.VersionFleet;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.functions.spec.FunctionSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Asks the spot policy of one version how it divides the replicas; keeps what the policy has learned. */
final class VersionSplit {
    private final VersionFleet fleet;
    private final LoadEstimate load = new LoadEstimate();
    private final SettledSplit settled = new SettledSplit();

    /** When replicas that are not ready yet were first seen, with or without a node. */
    private final Map<String, Instant> starting = new HashMap<>();

    private List<String> known = List.of();

    /** @param memory of what the policy learns */
    VersionSplit(VersionFleet.Memory memory) {
        fleet = new VersionFleet(memory);
    }

    /** What a cluster offers, as the policies see it. */
    record Market(Collection<Node> nodes, Map<String, CapacitySignal> signals, NodePrices prices) {
        boolean keepsOnSpot(Replica replica) {
            boolean leaves = Optional.ofNullable(signals.get(replica.node()))
                    .filter(CapacitySignal::isInterruption)
                    .isPresent();
            return !leaves
                    && nodes.stream()
                            .anyMatch(node ->
                                    node.name().equals(replica.node()) && node.capacityType() == CapacityType.Spot);
        }
    }

    /**
     * @param replicas of the version, one at least, without those that have ended
     * @param usage what those that hold resources did
     * @return the split to act on; empty where it changes nothing
     */
    Optional<CapacitySplit> next(
            FunctionSpec spec,
            List<Replica> replicas,
            Collection<ReplicaInterval> usage,
            Market market,
            RandomGenerator random,
            Instant now) {
        observe(replicas, now);
        load.observe(usage, now);
        int target = target(spec);
        List<Replica> placed = replicas.stream().map(VersionSplit::served).toList();
        var input = new FleetInput(now, spec, target, placed, market.nodes(), market.signals(), _ -> 0, 0);
        FleetPlan.Goal goal = fleet.plan(input, market.prices(), random).goal();
        int onDemand = Math.min(goal.onDemand(), onDemandAtMost(spec, target - serving(placed, market, goal)));
        return settled.next(new CapacitySplit(target, goal.spot(), onDemand), now)
                .filter(split -> changesAnything(split, spec));
    }

    /** A replica that has a node becomes ready, or fails for a reason that it would have on demand as well. */
    private static Replica served(Replica replica) {
        boolean starts =
                replica.state() == Replica.State.STARTING && !replica.node().isEmpty();
        return starts ? replica.in(Replica.State.READY) : replica;
    }

    private static int serving(List<Replica> placed, Market market, FleetPlan.Goal goal) {
        long spot = placed.stream()
                .filter(replica -> replica.state() == Replica.State.READY)
                .filter(market::keepsOnSpot)
                .count();
        return (int) Math.min(spot, goal.spot());
    }

    /**
     * Capacity on demand covers what the load needs and spot capacity lacks, not a hedge that was not asked for yet.
     */
    private static int onDemandAtMost(FunctionSpec spec, int lacking) {
        return Math.max(spec.placement().leastOnDemand(), lacking);
    }

    private int target(FunctionSpec spec) {
        double needed = Math.ceil(load.concurrency() / KpaPolicy.of(spec).goal());
        return (int) Math.clamp(needed, spec.scaling().min(), spec.scaling().max());
    }

    /** The starts that it measures include the time until a node has room. */
    private void observe(List<Replica> replicas, Instant now) {
        for (Replica replica : replicas) {
            switch (replica.state()) {
                case STARTING -> starting.putIfAbsent(replica.id(), now);
                case READY ->
                    Optional.ofNullable(starting.remove(replica.id()))
                            .map(since -> Duration.between(since, now))
                            .ifPresent(fleet::started);
                case UNRESPONSIVE, DRAINING, STOPPED, FAILED -> starting.remove(replica.id());
            }
        }
        List<String> ids = replicas.stream().map(Replica::id).toList();
        known.stream().filter(id -> !ids.contains(id)).forEach(fleet::stopped);
        starting.keySet().retainAll(ids);
        known = ids;
    }

    /** Knative's autoscaler runs what the load needs; it needs no help unless the policy wants more, or other kinds. */
    private static boolean changesAnything(CapacitySplit split, FunctionSpec spec) {
        int base = spec.placement().leastOnDemand();
        return split.target() > 0 && (split.onDemand() > base || split.spot() + base > split.target());
    }
}
