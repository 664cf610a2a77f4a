package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Reason.Cause;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Runs a fixed number of replicas on demand and the others on spot capacity, round robin over the zones.
 *
 * @param onDemand replicas on demand, not negative
 * @param fallback whether spot replicas that are not ready are covered on demand
 */
public record StaticMix(int onDemand, boolean fallback, RoundRobin turn) implements SpotPolicy {
    public static StaticMix of(int onDemand) {
        return new StaticMix(onDemand, false, new RoundRobin(0));
    }

    /** All on spot, round robin, covered on demand. */
    public static StaticMix withFallback() {
        return new StaticMix(0, true, new RoundRobin(0));
    }

    @Override
    public Decision decide(FleetState fleet, RandomGenerator random) {
        int fixed = Math.min(onDemand, fleet.target());
        int wanted = fleet.target() - fixed;
        List<Replica> spot = fleet.spot();
        List<String> zones = turn.zones(fleet.zones(), wanted - spot.size());
        int ready = (int) spot.stream().filter(Replica::isReady).count();
        var plan = new PlanBuilder(fleet)
                .launchSpot(zones, Cause.NEEDED)
                .onDemand(fallback ? fixed + Math.max(0, wanted - ready) : fixed);
        spot.stream().skip(wanted).forEach(replica -> plan.drain(replica, Reason.of(Cause.SURPLUS)));
        return new Decision(plan.build(), new StaticMix(onDemand, fallback, turn.after(zones.size())));
    }
}
