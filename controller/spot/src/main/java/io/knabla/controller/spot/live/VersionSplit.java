package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Asks the spot policy of one version how to divide its replicas between spot and on demand; keeps what the policy
 * learns.
 */
public final class VersionSplit {
    private final VersionFleet fleet;
    private final SettledSplit settled;

    /** When replicas that are not ready yet were first seen, with or without a node. */
    private final Map<String, Instant> starting = new HashMap<>();

    /** Replicas on nodes, as they were seen last. */
    private Map<String, LiveReplica> known = Map.of();

    /** @param memory of what the policy learns */
    public VersionSplit(VersionFleet.Memory memory, FleetTiming timing) {
        fleet = new VersionFleet(memory);
        settled = new SettledSplit(timing.settling());
    }

    /**
     * @param isLost whether a node is gone, or taken back
     * @return the split to act on; empty where it changes nothing
     */
    public Optional<CapacitySplit> next(FleetInput input, Predicate<String> isLost, RandomGenerator random) {
        observe(input.replicas(), input.now());
        end(input, isLost);
        List<LiveReplica> placed =
                input.replicas().stream().map(VersionSplit::served).toList();
        FleetPlan.Goal goal = fleet.plan(input.with(placed), random).goal();
        int lacking = input.target() - serving(placed, goal);
        int onDemand = Math.max(Math.min(goal.onDemand(), onDemandAtMost(input.rules(), lacking)), standIns(input));
        return settled.next(new CapacitySplit(input.target(), goal.spot(), onDemand), input.now())
                .filter(split -> changesAnything(split, input.rules()));
    }

    /** A replica that has a node becomes ready, or fails for a reason that it would have on demand as well. */
    private static LiveReplica served(LiveReplica replica) {
        boolean starts = replica.state() == State.STARTING && replica.offering().isPresent();
        return starts ? replica.in(State.READY) : replica;
    }

    private static int serving(List<LiveReplica> placed, FleetPlan.Goal goal) {
        return Math.min(ready(placed, true), goal.spot());
    }

    /**
     * Capacity on demand covers what the load needs and spot capacity lacks, not a hedge that was not asked for yet.
     */
    private static int onDemandAtMost(FleetRules rules, int lacking) {
        return Math.max(rules.leastOnDemand(), lacking);
    }

    /** Replicas on demand that serve in place of spot replicas, which may have a node already but do not serve yet. */
    private static int standIns(FleetInput input) {
        int lacking = input.target() - ready(input.replicas(), true);
        return Math.clamp(lacking, 0, ready(input.replicas(), false));
    }

    private static int ready(List<LiveReplica> replicas, boolean spot) {
        return (int) replicas.stream()
                .filter(replica -> replica.state() == State.READY && !replica.isInterrupted())
                .filter(replica -> replica.offering().map(Offering::isSpot).equals(Optional.of(spot)))
                .count();
    }

    /** The starts that it measures include the time until a node has room. */
    private void observe(List<LiveReplica> replicas, Instant now) {
        for (LiveReplica replica : replicas) {
            switch (replica.state()) {
                case STARTING -> starting.putIfAbsent(replica.id(), now);
                case READY ->
                    Optional.ofNullable(starting.remove(replica.id()))
                            .map(since -> Duration.between(since, now))
                            .ifPresent(fleet::started);
                case DRAINING -> starting.remove(replica.id());
            }
        }
        starting.keySet().retainAll(replicas.stream().map(LiveReplica::id).toList());
    }

    /** Tells replicas that were asked to stop from those that their nodes took along, which no notice need announce. */
    private void end(FleetInput input, Predicate<String> isLost) {
        Map<String, LiveReplica> placed = input.replicas().stream()
                .filter(replica -> replica.offering().isPresent())
                .collect(Collectors.toMap(LiveReplica::id, Function.identity()));
        known.values().stream().filter(last -> !placed.containsKey(last.id())).forEach(last -> {
            if (last.state() != State.DRAINING && isLost.test(last.node())) {
                fleet.lost(last.id(), last.offering().orElseThrow(), input.now());
            } else {
                fleet.stopped(last.id());
            }
        });
        known = placed;
    }

    /** Knative's autoscaler runs what the load needs; it needs no help unless the policy wants more, or other kinds. */
    private static boolean changesAnything(CapacitySplit split, FleetRules rules) {
        int base = rules.leastOnDemand();
        return split.target() > 0 && (split.onDemand() > base || split.spot() + base > split.target());
    }
}
