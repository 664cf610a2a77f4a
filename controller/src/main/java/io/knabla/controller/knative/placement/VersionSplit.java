package io.knabla.controller.knative.placement;

import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.knative.CapacitySplit;
import io.knabla.controller.machine.Node;
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

/** Asks the spot policy of one version how it divides the replicas; keeps what the policy has learnt. */
final class VersionSplit {
    private final VersionFleet fleet = new VersionFleet();
    private final LoadEstimate load = new LoadEstimate();
    private final SettledSplit settled = new SettledSplit();

    /** When replicas that are not ready yet were first seen, with or without a node. */
    private final Map<String, Instant> starting = new HashMap<>();

    private List<String> known = List.of();

    /** What a cluster offers, as the policies see it. */
    record Market(Collection<Node> nodes, Map<String, CapacitySignal> signals, NodePrices prices) {}

    /**
     * @param replicas of the version, without those that have ended
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
        var input = new FleetInput(now, spec, target, replicas, market.nodes(), market.signals(), _ -> 0, 0);
        FleetPlan.Goal goal = fleet.plan(input, market.prices(), random).goal();
        return settled.next(new CapacitySplit(target, goal.spot(), goal.onDemand()), now)
                .filter(split -> changesAnything(split, spec));
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
