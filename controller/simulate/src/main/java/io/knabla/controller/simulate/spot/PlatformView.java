package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.live.FleetInput;
import io.knabla.controller.spot.live.FleetRules;
import io.knabla.controller.spot.live.LiveReplica;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.Replica;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Builds the input of placement plans from the fleet of a simulation, where each instance is one node. */
record PlatformView(Scenario scenario, Cloud cloud, FleetRules rules) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    PlatformView(Scenario scenario, Cloud cloud, SpotPolicy policy) {
        this(scenario, cloud, rules(scenario, policy));
    }

    FleetInput input(long now) {
        List<LiveReplica> replicas = cloud.fleet.instances().stream()
                .map(instance -> replica(instance, cloud.instant(now)))
                .toList();
        return new FleetInput(cloud.instant(now), rules, scenario.target(now), replicas, cloud.offers(now), _ -> 0);
    }

    /** Of a function whose {@code scaling.max} leaves room for every hedge. */
    private static FleetRules rules(Scenario scenario, SpotPolicy policy) {
        int most = scenario.targets().values().values().stream()
                .mapToInt(Double::intValue)
                .max()
                .orElseThrow();
        int least = policy instanceof StaticMix mix ? mix.onDemand() : 0;
        Duration timeout = scenario.workload().map(Workload::timeout).orElse(TIMEOUT);
        return new FleetRules(policy, Demand.of(most).maxReplicas(), 0, least, timeout, false);
    }

    private LiveReplica replica(Instance instance, Instant now) {
        Replica seen = instance.asReplica();
        return new LiveReplica(
                seen.id(),
                seen.id(),
                Optional.of(seen.offering()),
                seen.launchedAt(),
                seen.state(),
                false,
                signal(instance, seen.warning(), now));
    }

    private Optional<CapacitySignal> signal(Instance instance, Replica.Warning warning, Instant now) {
        return switch (warning) {
            case NONE -> Optional.empty();
            case REBALANCE -> Optional.of(new CapacitySignal(instance.id, Kind.REBALANCE_RECOMMENDED, now));
            case INTERRUPTION, INTERRUPTION_IMMINENT ->
                Optional.of(new CapacitySignal(instance.id, Kind.INTERRUPTION_WARNING, cloud.instant(instance.lostAt)));
        };
    }
}
