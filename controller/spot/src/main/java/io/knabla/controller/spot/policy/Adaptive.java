package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Allocation.Candidate;
import io.knabla.controller.spot.policy.Allocation.Weights;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Hedges by the measured risk of zones instead of by a constant number of extra replicas. It estimates how often each
 * zone takes replicas back ({@link ZoneRisk}, {@link FleetRisk}), and chooses the number of spot replicas and their
 * zones with the least sum of price and expected shortage. So it holds extra replicas while its zones are young or have
 * just lost some, and few while they are old. Missing spot replicas are covered on demand, and so are extra ones that a
 * zone refused.
 *
 * @param shortageCost of an hour with fewer replicas than the target, relative to that of the target on demand
 * @param leastZones over which replicas are spread if so many have capacity; 1 loses all at once but less often
 */
public record Adaptive(double shortageCost, int leastZones, FleetRisk risk) implements SpotPolicy {
    /** Chosen on the first half of the bundled nine-zone trace. */
    private static final double SHORTAGE_COST = 40;

    public Adaptive {
        if (!(shortageCost >= 0) || leastZones < 1) {
            throw new IllegalArgumentException("need shortageCost >= 0 and leastZones >= 1, but they are %s and %d"
                    .formatted(shortageCost, leastZones));
        }
    }

    public static Adaptive start() {
        return spreadOver(1);
    }

    public static Adaptive spreadOver(int leastZones) {
        return new Adaptive(SHORTAGE_COST, leastZones, FleetRisk.UNKNOWN);
    }

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        FleetRisk learnt = risk.observed(fleet);
        int needed = Math.max(0, fleet.target() - fleet.demand().onDemandBase());
        double gap = fleet.coldStart().toNanos() / 3.6e12;
        var weights = new Weights(
                needed,
                gap,
                shortageCost,
                learnt.amongZones().probability(),
                learnt.withinZone().probability(),
                learnt.inPart().probability());
        Map<String, Integer> held = new HashMap<>();
        fleet.spot().forEach(replica -> held.merge(replica.offering().zone(), 1, Integer::sum));
        List<Candidate> zones = candidates(fleet, learnt, held, weights);
        int heldOnDemand = Math.max(0, fleet.onDemand().size() - fleet.demand().onDemandBase());
        Allocation best = new Allocations(zones, weights, heldOnDemand).cheapest(leastZones);
        return new Decision(plan(fleet, best, needed), new Adaptive(shortageCost, leastZones, learnt));
    }

    @Override
    public Optional<FleetRisk> learned() {
        return Optional.of(risk).filter(known -> known.at().isPresent());
    }

    @Override
    public SpotPolicy with(FleetRisk learned) {
        return new Adaptive(shortageCost, leastZones, learned.recalled());
    }

    /** Zones that can be used, the one with the least price and risk first. */
    private static List<Candidate> candidates(
            FleetState fleet, FleetRisk risk, Map<String, Integer> held, Weights weights) {
        Set<String> recommendedToLeave = fleet.spot().stream()
                .filter(replica -> replica.warning() == Warning.REBALANCE)
                .map(replica -> replica.offering().zone())
                .collect(Collectors.toSet());
        return fleet.zones().stream()
                .filter(ZoneOffer::spotIsCheaper)
                .filter(offer -> held.containsKey(offer.zone()) || !risk.isBlocked(offer.zone()))
                .filter(offer -> !recommendedToLeave.contains(offer.zone()))
                .map(offer -> candidate(offer, risk, held.getOrDefault(offer.zone(), 0)))
                .sorted(Comparator.comparingDouble(weights::preference))
                .toList();
    }

    private static Candidate candidate(ZoneOffer offer, FleetRisk risk, int held) {
        int room = risk.isBlocked(offer.zone()) ? held : Candidate.UNLIMITED;
        return new Candidate(offer, risk.lossesPerHour(offer), held, room);
    }

    private static Plan plan(FleetState fleet, Allocation wanted, int needed) {
        var plan = new PlanBuilder(fleet);
        Map<String, Integer> missing = new HashMap<>(wanted.counts());
        List<Replica> spare = new ArrayList<>();
        int kept = 0;
        int ready = 0;
        for (Replica replica : fleet.spot()) {
            boolean fits = missing.merge(replica.offering().zone(), -1, Integer::sum) >= 0;
            kept += fits && replica.isReady() ? 1 : 0;
            ready += replica.isReady() ? 1 : 0;
            if (!fits) {
                spare.add(replica);
            }
        }
        int total = wanted.total();
        launch(plan, wanted, missing, total > needed ? Cause.HEDGE : Cause.NEEDED);
        long covered = fleet.onDemand().stream().filter(Replica::isReady).count()
                - fleet.demand().onDemandBase();
        int serving = Math.max(total, needed - Math.max(0, (int) covered));
        ready -= release(plan, spare, Math.max(0, serving - kept));
        int notReady = Math.clamp(fleet.target() - Math.min(ready, total), 0, fleet.target());
        return plan.onDemand(Math.max(notReady, fleet.demand().onDemandBase() + wanted.onDemand()))
                .build();
    }

    private static void launch(PlanBuilder plan, Allocation wanted, Map<String, Integer> missing, Cause cause) {
        var reason = new Reason(cause, Map.of("breaksPerHour", wanted.breaksPerHour(), "cost", wanted.cost()));
        wanted.counts().keySet().forEach(zone -> {
            for (int i = 0; i < missing.get(zone); i++) {
                plan.launch(Offering.spot(zone), reason);
            }
        });
    }

    /**
     * Drains replicas that are not wanted, except so many that serve until others are ready. Returns how many were
     * ready.
     */
    private static int release(PlanBuilder plan, List<Replica> spare, int serving) {
        spare.sort(Comparator.comparing(Replica::isReady));
        int ready = 0;
        for (int i = 0; i < spare.size(); i++) {
            Replica replica = spare.get(i);
            if (i < spare.size() - serving) {
                boolean atRisk = replica.warning() == Warning.REBALANCE;
                plan.drain(replica, Reason.of(atRisk ? Cause.REBALANCE_RECOMMENDED : Cause.SURPLUS));
                ready += replica.isReady() ? 1 : 0;
            } else {
                plan.keep(replica, Reason.of(Cause.REPLACEMENT_STARTING));
            }
        }
        return ready;
    }
}
