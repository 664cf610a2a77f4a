package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rules, zones and replicas of a version for tests. */
final class Versions {
    static final List<ZoneOffer> ZONES = List.of(ZoneOffer.of("a", 1, 3), ZoneOffer.of("b", 1, 3));
    static final Offering OD = Offering.onDemand("a");
    static final Offering SPOT_A = Offering.spot("a");
    static final Offering SPOT_B = Offering.spot("b");

    private Versions() {}

    static FleetRules rules(SpotPolicy policy, int max) {
        int least = policy instanceof StaticMix ? 1 : 0;
        return new FleetRules(policy, max, 0, least, Duration.ofSeconds(30), false);
    }

    static LiveReplica replica(String id, Offering offering, State state, Instant launchedAt) {
        return new LiveReplica(
                id, "node-of-" + id, Optional.ofNullable(offering), launchedAt, state, false, Optional.empty());
    }

    static LiveReplica with(LiveReplica replica, Kind kind, Instant until) {
        return new LiveReplica(
                replica.id(),
                replica.node(),
                replica.offering(),
                replica.launchedAt(),
                replica.state(),
                replica.isReserved(),
                Optional.of(new CapacitySignal("node", kind, until)));
    }
}
