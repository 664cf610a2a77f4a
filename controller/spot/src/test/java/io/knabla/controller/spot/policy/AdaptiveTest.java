package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Decisions where zone {@code a} has held for two days, so that nothing is hedged there. */
class AdaptiveTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ZoneRisk OLD = new ZoneRisk(0, 48, 48, 1, 0, 0);
    private static final List<String> ZONES = List.of("us-east-1a", "us-west-2a");

    private final List<Replica> replicas = new ArrayList<>();
    private Map<String, ZoneRisk> risks = Map.of("us-east-1a", OLD);

    private void has(String id, Offering offering, State state, Warning warning) {
        replicas.add(new Replica(id, offering, NOW.minusSeconds(600 - replicas.size()), state, warning));
    }

    private void spot(String id, State state) {
        has(id, Offering.spot("us-east-1a"), state, Warning.NONE);
    }

    private Plan plan(Demand demand) {
        var zones = ZONES.stream().map(zone -> ZoneOffer.of(zone, 1, 3)).toList();
        var risk = new FleetRisk(
                Optional.of(NOW),
                risks,
                Map.of(),
                FleetRisk.UNKNOWN.amongZones(),
                FleetRisk.UNKNOWN.withinZone(),
                FleetRisk.UNKNOWN.inPart());
        var fleet = new FleetState(NOW, demand, Duration.ofSeconds(120), zones, replicas, List.of());
        return new Adaptive(40, 1, risk).decide(fleet, new SplittableRandom(1)).plan();
    }

    private static List<String> launches(Plan plan) {
        return plan.launches().stream()
                .map(line -> line.offering() + " " + line.reason().cause())
                .toList();
    }

    private static String launch(Offering offering, Cause cause) {
        return offering + " " + cause;
    }

    private static Demand base(int target, int onDemand) {
        return new Demand(target, onDemand, 20, Optional.empty());
    }

    @Test
    void onDemandCoversWhatIsNotReady() {
        spot("s1", State.READY);
        spot("s2", State.STARTING);

        Plan plan = plan(Demand.of(2));

        assertThat(launches(plan)).containsExactly(launch(Offering.onDemand("us-east-1a"), Cause.COVERS_MISSING_SPOT));
        assertThat(plan.routed()).containsExactly("s1");
        assertThat(plan.drains()).isEmpty();
    }

    @Test
    void onDemandEndsWhenSpotIsReadyThatStartsFirst() {
        spot("s1", State.READY);
        has("o1", Offering.onDemand("us-east-1a"), State.READY, Warning.NONE);
        has("o2", Offering.onDemand("us-east-1a"), State.STARTING, Warning.NONE);
        spot("s2", State.STARTING);

        assertThat(plan(Demand.of(2)).drains())
                .containsExactly(new PlanLine.Drain("o2", Reason.of(Cause.SPOT_IS_READY)));
    }

    @Test
    void theBaseIsOnDemandAndSpotDoesTheRest() {
        spot("s1", State.READY);
        spot("s2", State.READY);

        assertThat(launches(plan(base(3, 1))))
                .containsExactly(launch(Offering.onDemand("us-east-1a"), Cause.ON_DEMAND_BASE));
        has("o1", Offering.onDemand("us-east-1a"), State.READY, Warning.NONE);
        assertThat(plan(base(3, 1)).launches()).isEmpty();
        assertThat(plan(base(3, 1)).drains()).isEmpty();
    }

    @Test
    void aNewZoneIsHedgedAndAnOldOneIsNot() {
        assertThat(launches(plan(Demand.of(1)))).contains(launch(Offering.spot("us-east-1a"), Cause.NEEDED));

        risks = Map.of();
        assertThat(launches(plan(Demand.of(3)))).contains(launch(Offering.spot("us-east-1a"), Cause.HEDGE));
    }

    @Test
    void surplusLeavesTheYoungestFirst() {
        spot("s1", State.READY);
        spot("s2", State.READY);
        spot("s3", State.READY);

        Plan plan = plan(Demand.of(2));

        assertThat(plan.drains()).containsExactly(new PlanLine.Drain("s3", Reason.of(Cause.SURPLUS)));
        assertThat(plan.launches()).isEmpty();
    }

    @Test
    void aReplicaAtRiskServesUntilItsReplacementIsReady() {
        has("old", Offering.spot("us-west-2a"), State.READY, Warning.REBALANCE);
        spot("new", State.STARTING);
        PlanLine waits = new PlanLine.Keep("old", true, Reason.of(Cause.REPLACEMENT_STARTING));

        Plan before = plan(Demand.of(1));
        assertThat(before.lines()).contains(waits);
        assertThat(before.launches()).isEmpty();

        replicas.removeLast();
        spot("new", State.READY);
        assertThat(plan(Demand.of(1)).drains())
                .containsExactly(new PlanLine.Drain("old", Reason.of(Cause.REBALANCE_RECOMMENDED)));
    }

    @Test
    void startingReplicasLeaveAZoneBeforeThoseThatServe() {
        has("serves", Offering.spot("us-west-2a"), State.READY, Warning.REBALANCE);
        has("starts", Offering.spot("us-west-2a"), State.STARTING, Warning.REBALANCE);
        spot("new", State.STARTING);

        Plan plan = plan(Demand.of(1));

        assertThat(plan.routed()).containsExactly("serves");
        assertThat(plan.drains()).containsExactly(new PlanLine.Drain("starts", Reason.of(Cause.REBALANCE_RECOMMENDED)));
    }

    @Test
    void onDemandHedgesWhatYoungZonesRefuse() {
        spot("s1", State.READY);
        var young = new ZoneRisk(2, 1, 0.1, 1, 1, 1);
        risks = Map.of("us-east-1a", young, "us-west-2a", young);
        assertThat(launches(plan(Demand.of(1))))
                .containsExactly(launch(Offering.onDemand("us-east-1a"), Cause.COVERS_MISSING_SPOT));

        has("o1", Offering.onDemand("us-east-1a"), State.READY, Warning.NONE);
        assertThat(plan(Demand.of(1)).launches()).isEmpty();
        assertThat(plan(Demand.of(1)).drains()).isEmpty();
        assertThat(launches(plan(base(2, 1))))
                .as("beside the base")
                .containsExactly(launch(Offering.onDemand("us-east-1a"), Cause.COVERS_MISSING_SPOT));
    }

    @Test
    void aBlockedZoneIsUsedOnlyWhereReplicasAre() {
        risks = Map.of("us-east-1a", new ZoneRisk(0, 48, 48, 1, 1, 1));
        assertThat(launches(plan(Demand.of(1)))).contains(launch(Offering.spot("us-west-2a"), Cause.HEDGE));

        spot("s1", State.READY);
        risks = Map.of("us-east-1a", new ZoneRisk(0, 48, 48, 1, 1, 1), "us-west-2a", ZoneRisk.UNKNOWN);
        assertThat(plan(Demand.of(1)).drains()).isEmpty();
    }
}
