package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Reason.Cause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * SpotHedge of SkyServe (Mao et al., EuroSys'25, arXiv 2411.01438): a constant number of extra spot replicas, zones
 * that are avoided after a loss, and on-demand replicas while spot ones are not ready.
 *
 * @param extra spot replicas beyond the target
 * @param preempted zones that lost or refused a replica and have held none since
 */
public record SpotHedge(int extra, Set<String> preempted) implements SpotPolicy {
    private static final int FEWEST_ACTIVE_ZONES = 2;

    public SpotHedge {
        if (extra < 0) {
            throw new IllegalArgumentException("the number of extra replicas must not be negative, but is " + extra);
        }
        preempted = Set.copyOf(preempted);
    }

    public static SpotHedge of(int extra) {
        return new SpotHedge(extra, Set.of());
    }

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        List<Replica> spot = fleet.spot();
        Set<String> used = spot.stream().map(it -> it.offering().zone()).collect(Collectors.toSet());
        Set<String> avoided = avoided(fleet, used);
        int wanted = fleet.target() == 0 ? 0 : fleet.target() + extra;
        int ready = (int) spot.stream().filter(Replica::isReady).count();
        var plan = new PlanBuilder(fleet).onDemand(Math.clamp(wanted - ready, 0, fleet.target()));
        for (int missing = wanted - spot.size(); missing > 0; missing--) {
            String zone = zone(fleet, avoided, used, random);
            used.add(zone);
            plan.launch(Offering.spot(zone), Reason.of(missing > extra ? Cause.NEEDED : Cause.HEDGE));
        }
        spot.stream().skip(wanted).forEach(replica -> plan.drain(replica, Reason.of(Cause.SURPLUS)));
        return new Decision(plan.build(), new SpotHedge(extra, avoided));
    }

    private Set<String> avoided(FleetState fleet, Set<String> used) {
        Set<String> avoided = new HashSet<>(preempted);
        avoided.removeAll(used);
        for (CapacityEvent event : fleet.events()) {
            String zone = event.offering().zone();
            if (event.offering().isSpot()) {
                switch (event.kind()) {
                    case LAUNCH_REFUSED, INTERRUPTED -> avoid(zone, avoided, fleet);
                    case ROOM_RETURNED -> avoided.remove(zone);
                    case REBALANCE_RECOMMENDED -> {}
                }
            }
        }
        return avoided;
    }

    private static void avoid(String zone, Set<String> avoided, FleetState fleet) {
        avoided.add(zone);
        if (fleet.zones().size() - avoided.size() < FEWEST_ACTIVE_ZONES) {
            avoided.clear();
        }
    }

    private static String zone(FleetState fleet, Set<String> avoided, Set<String> used, RandomGenerator random) {
        List<String> active = new ArrayList<>(fleet.zones().stream()
                .map(ZoneOffer::zone)
                .filter(zone -> !avoided.contains(zone))
                .toList());
        List<String> unused =
                active.stream().filter(zone -> !used.contains(zone)).toList();
        List<String> choice = unused.isEmpty() ? active : unused;
        return choice.get(random.nextInt(choice.size()));
    }
}
