package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Plan;
import io.knabla.controller.spot.policy.PlanLine;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Reason;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which replicas of a version to start, drain and keep now: a spot policy's plan within the bounds of the function.
 * Replicas that the target lacks start at once. Others, which hedge or replace, start one at a time: a hedge stays
 * within {@link FleetRules#max}, a replacement may exceed it by one until it is ready.
 *
 * @param launches of which to start {@code missing}, in the order in which to try them
 * @param extra a launch beyond the target
 * @param drains reasons of the replicas to drain now, by id
 * @param kept reasons of the replicas that stay, by id
 * @param goal replicas of each capacity type once all launches and drains are done
 */
public record FleetPlan(
        List<Launch> launches,
        int missing,
        Optional<Launch> extra,
        Map<String, Reason> drains,
        Map<String, Reason> kept,
        Goal goal) {
    private static final Set<Cause> ONLY_SAVE = EnumSet.of(Cause.SURPLUS, Cause.SPOT_IS_READY);

    /** A number of replicas on spot capacity, and one on demand. */
    public record Goal(int spot, int onDemand) {
        /** Replicas that only serve until others are ready do not count. */
        static Goal of(FleetState fleet, Plan plan) {
            Map<String, Replica> replicas =
                    fleet.replicas().stream().collect(Collectors.toMap(Replica::id, Function.identity()));
            Map<Boolean, Long> counts = Stream.concat(
                            plan.launches().stream().map(Launch::offering),
                            plan.kept().stream()
                                    .filter(line -> line.reason().cause() != Cause.REPLACEMENT_STARTING)
                                    .map(line -> replicas.get(line.replica()).offering()))
                    .collect(Collectors.partitioningBy(Offering::isSpot, Collectors.counting()));
            return new Goal(counts.get(true).intValue(), counts.get(false).intValue());
        }
    }

    public FleetPlan {
        launches = List.copyOf(launches);
        drains = Map.copyOf(drains);
        kept = Map.copyOf(kept);
    }

    static FleetPlan of(FleetInput input, FleetState fleet, Plan plan) {
        Map<String, Reason> drains = drains(input, fleet, plan);
        List<Replica> staying = fleet.replicas().stream()
                .filter(replica -> replica.isLive() && !drains.containsKey(replica.id()))
                .toList();
        boolean waits = input.rules().hasSingleWriter() && !fleet.replicas().isEmpty();
        int missing = waits ? 0 : Math.max(0, input.target() - staying.size());
        boolean mayExceed = missing == 0 && !input.rules().hasSingleWriter() && mayExceed(input, fleet, staying);
        Map<String, Reason> kept = new HashMap<>();
        plan.kept().forEach(line -> kept.put(line.replica(), line.reason()));
        kept.keySet().removeAll(drains.keySet());
        return new FleetPlan(
                plan.launches(),
                missing,
                mayExceed ? plan.launches().stream().findFirst() : Optional.empty(),
                drains,
                kept,
                Goal.of(fleet, plan));
    }

    private static boolean mayExceed(FleetInput input, FleetState fleet, List<Replica> staying) {
        int most = input.rules().max() + (isReplacing(fleet, staying) ? 1 : 0);
        return staying.stream().allMatch(Replica::isReady) && staying.size() < most;
    }

    /** Whether a replica is to be replaced: its node is at risk, or it only stands in for spot capacity. */
    private static boolean isReplacing(FleetState fleet, List<Replica> staying) {
        long onDemand = staying.stream().filter(replica -> !replica.isSpot()).count();
        return onDemand > fleet.demand().onDemandBase()
                || staying.stream().anyMatch(replica -> replica.warning() == Warning.REBALANCE);
    }

    /**
     * A policy says how many replicas of an offering are too many; which of them is decided here: those that still
     * start, then the least busy, then the youngest. One with a warning is drained itself.
     */
    private static Map<String, Reason> drains(FleetInput input, FleetState fleet, Plan plan) {
        Map<String, Reason> drains = new HashMap<>();
        List<Replica> candidates = new ArrayList<>(
                fleet.replicas().stream().filter(Replica::isLive).toList());
        candidates.sort(Comparator.comparing((Replica replica) -> replica.warning() == Warning.NONE)
                .thenComparing(Replica::isReady)
                .thenComparingInt(replica -> input.inFlight().applyAsInt(replica.id()))
                .thenComparing(Replica::launchedAt, Comparator.reverseOrder()));
        List<PlanLine.Drain> optional = new ArrayList<>();
        for (PlanLine.Drain line : plan.drains()) {
            Replica named = find(fleet.replicas(), line.replica());
            if (isOptional(line, named)) {
                optional.add(line);
            } else if (line.reason().cause() != Cause.DRAINING) {
                candidates.remove(named);
                drains.put(named.id(), line.reason());
            }
        }
        for (PlanLine.Drain line : optional) {
            Replica like = like(candidates, find(fleet.replicas(), line.replica()));
            if (isSpare(like, candidates, input.target())) {
                candidates.remove(like);
                drains.put(like.id(), line.reason());
            }
        }
        return drains;
    }

    /**
     * Whether the target is met without it: one that serves goes only when as many as are needed serve in its place.
     */
    private static boolean isSpare(Replica replica, List<Replica> candidates, int target) {
        return candidates.stream()
                        .filter(other -> other.isReady() || !replica.isReady())
                        .count()
                > target;
    }

    /**
     * Whether it only saves money. A replica that the target needs stays, where it is: there may be no slot where the
     * policy wants it.
     */
    private static boolean isOptional(PlanLine.Drain line, Replica named) {
        return named.warning() == Warning.NONE
                && ONLY_SAVE.contains(line.reason().cause());
    }

    private static Replica find(List<Replica> replicas, String id) {
        return replicas.stream()
                .filter(replica -> replica.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Replica like(List<Replica> candidates, Replica named) {
        return candidates.stream()
                .filter(replica -> replica.offering().equals(named.offering()))
                .findFirst()
                .orElse(named);
    }
}
