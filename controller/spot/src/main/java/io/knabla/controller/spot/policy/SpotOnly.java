package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Reason.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Runs every replica on spot capacity, without a fallback.
 *
 * @param fixedZones even spread: zones over which the replicas are spread for good; empty for round robin over all
 */
public record SpotOnly(List<String> fixedZones, RoundRobin turn) implements SpotPolicy {
    public SpotOnly {
        fixedZones = List.copyOf(fixedZones);
    }

    public static SpotOnly roundRobin() {
        return new SpotOnly(List.of(), new RoundRobin(0));
    }

    /** @param zones the first replica stays in the first one, and so on; one at least */
    public static SpotOnly evenSpread(List<String> zones) {
        return new SpotOnly(zones, new RoundRobin(0));
    }

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        List<Replica> spot = fleet.spot();
        List<String> zones =
                fixedZones.isEmpty() ? turn.zones(fleet.zones(), fleet.target() - spot.size()) : missing(fleet, spot);
        var plan = new PlanBuilder(fleet).launchSpot(zones, Cause.NEEDED).onDemand(0);
        spot.stream().skip(fleet.target()).forEach(replica -> plan.drain(replica, Reason.of(Cause.SURPLUS)));
        return new Decision(plan.build(), new SpotOnly(fixedZones, turn.after(zones.size())));
    }

    private List<String> missing(FleetState fleet, List<Replica> spot) {
        Map<String, Long> have = spot.stream()
                .map(replica -> replica.offering().zone())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        List<String> zones = new ArrayList<>();
        for (int i = 0; i < fleet.target(); i++) {
            String zone = fixedZones.get(i % fixedZones.size());
            if (have.merge(zone, -1L, Long::sum) < 0) {
                zones.add(zone);
            }
        }
        return zones.subList(0, Math.clamp(fleet.target() - spot.size(), 0, zones.size()));
    }
}
