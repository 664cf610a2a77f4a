package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.ZoneOffer;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Input of the placement plan of one version: how many replicas it needs, those it has, and what the zones offer.
 *
 * @param target replicas that should be ready, at most {@link FleetRules#max}
 * @param replicas of the version, those that drain included, those that have ended not
 * @param zones in the order in which this version prefers them; one at least
 * @param inFlight requests that a replica works on, by its id
 */
public record FleetInput(
        Instant now,
        FleetRules rules,
        int target,
        List<LiveReplica> replicas,
        List<ZoneOffer> zones,
        ToIntFunction<String> inFlight) {
    public FleetInput {
        replicas = List.copyOf(replicas);
        zones = List.copyOf(zones);
    }

    FleetInput with(List<LiveReplica> others) {
        return new FleetInput(now, rules, target, others, zones, inFlight);
    }
}
