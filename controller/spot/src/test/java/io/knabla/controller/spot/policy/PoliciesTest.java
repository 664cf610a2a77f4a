package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.policy.CapacityEvent.Kind;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions worked out by hand. */
class PoliciesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-west-2a");

    private final List<Replica> replicas = new ArrayList<>();
    private final List<CapacityEvent> events = new ArrayList<>();
    private Duration coldStart = Duration.ofSeconds(120);

    private Replica has(String id, Offering offering, State state, Warning warning) {
        var replica = new Replica(id, offering, NOW.minusSeconds(600 - replicas.size()), state, warning);
        replicas.add(replica);
        return replica;
    }

    private void ready(String id, String zone) {
        has(id, Offering.spot(zone), State.READY, Warning.NONE);
    }

    private Decision decide(SpotPolicy policy, Demand demand) {
        var fleet = new FleetState(
                NOW,
                demand,
                coldStart,
                ZONES.stream().map(zone -> ZoneOffer.of(zone, 1, 3)).toList(),
                replicas,
                events);
        return policy.decide(fleet, new SplittableRandom(1));
    }

    private Plan plan(SpotPolicy policy, int target) {
        return decide(policy, Demand.of(target)).plan();
    }

    private static List<String> launched(Plan plan) {
        return plan.launches().stream()
                .map(launch -> (launch.offering().isSpot() ? "spot " : "on-demand ")
                        + launch.offering().zone())
                .toList();
    }

    private static long spot(Plan plan) {
        return plan.launches().stream().filter(it -> it.offering().isSpot()).count();
    }

    private static long onDemand(Plan plan) {
        return plan.launches().size() - spot(plan);
    }

    @Test
    void roundRobinGoesThroughTheZones() {
        Decision first = decide(SpotOnly.roundRobin(), Demand.of(2));

        assertThat(launched(first.plan())).containsExactly("spot us-east-1a", "spot us-east-1b");
        assertThat(launched(plan(first.next(), 2))).containsExactly("spot us-west-2a", "spot us-east-1a");
    }

    @Test
    void evenSpreadStaysInItsZones() {
        ready("r1", "us-west-2a");

        assertThat(launched(plan(SpotOnly.evenSpread(List.of("us-east-1a", "us-west-2a")), 3)))
                .containsExactly("spot us-east-1a", "spot us-east-1a");
    }

    @Test
    void staticMixKeepsItsShareOnDemand() {
        Plan plan = plan(StaticMix.of(1), 3);

        assertThat(onDemand(plan)).isEqualTo(1);
        assertThat(spot(plan)).isEqualTo(2);
    }

    @ParameterizedTest(name = "E={0}, {1} ready: {2} on demand")
    @CsvSource({"0, 0, 3", "0, 2, 1", "0, 3, 0", "1, 0, 3", "1, 3, 1", "1, 4, 0", "2, 5, 0"})
    void spotHedgeCoversWhatIsNotReady(int extra, int ready, int onDemand) {
        for (int i = 0; i < ready; i++) {
            ready("r" + i, ZONES.get(i % 3));
        }

        Plan plan = plan(SpotHedge.of(extra), 3);

        assertThat(onDemand(plan)).isEqualTo(onDemand);
        assertThat(spot(plan)).isEqualTo(3 + extra - ready);
    }

    @Test
    void spotHedgeAvoidsZonesThatLostOrRefused() {
        events.add(new CapacityEvent(Kind.INTERRUPTED, Offering.spot("us-east-1a"), NOW));

        Decision decision = decide(SpotHedge.of(1), Demand.of(3));

        assertThat(((SpotHedge) decision.next()).preempted()).containsExactly("us-east-1a");
        assertThat(launched(decision.plan())).doesNotContain("spot us-east-1a");
    }

    @Test
    void spotHedgeUsesAZoneAgainThatHasRoom() {
        events.add(new CapacityEvent(Kind.ROOM_RETURNED, Offering.spot("us-east-1b"), NOW));

        Decision decision = decide(new SpotHedge(1, Set.of("us-east-1b")), Demand.of(3));

        assertThat(((SpotHedge) decision.next()).preempted()).isEmpty();
        assertThat(launched(decision.plan())).contains("spot us-east-1b");
    }

    @Test
    void spotHedgeTriesAllZonesAgainIfFewerThanTwoAreActive() {
        events.add(new CapacityEvent(Kind.LAUNCH_REFUSED, Offering.spot("us-east-1a"), NOW));

        Decision decision = decide(new SpotHedge(1, Set.of("us-east-1b")), Demand.of(3));

        assertThat(((SpotHedge) decision.next()).preempted()).isEmpty();
    }

    @Test
    void warnedReplicaServesOnlyUntilOthersCan() {
        has("lost", Offering.spot("us-east-1a"), State.READY, Warning.INTERRUPTION);

        assertThat(plan(new OnDemandOnly(), 1).routed()).containsExactly("lost");

        has("new", Offering.onDemand("us-east-1a"), State.READY, Warning.NONE);
        Plan plan = plan(new OnDemandOnly(), 1);

        assertThat(plan.routed()).containsExactly("new");
        assertThat(plan.drains()).containsExactly(new PlanLine.Drain("lost", Reason.of(Cause.INTERRUPTION_WARNING)));
    }

    @Test
    void warnedReplicaLeavesAtOnceIfAnotherIsReady() {
        has("lost", Offering.spot("us-east-1a"), State.READY, Warning.INTERRUPTION);
        ready("r1", "us-east-1b");

        assertThat(plan(SpotOnly.roundRobin(), 3).routed()).containsExactly("r1");
    }

    @Test
    void warnedReplicaLeavesWhenItsNoticeEndsOrNothingIsWanted() {
        has("lost", Offering.spot("us-east-1a"), State.READY, Warning.INTERRUPTION_IMMINENT);
        has("idle", Offering.spot("us-east-1a"), State.READY, Warning.INTERRUPTION);

        assertThat(plan(SpotOnly.roundRobin(), 1).routed()).containsExactly("idle");
        assertThat(plan(SpotOnly.roundRobin(), 0).routed()).isEmpty();
    }

    @Test
    void adaptiveLeavesTheLastZoneOnlyWhenReplicasOnDemandAreReady() {
        for (String zone : ZONES) {
            has("r-" + zone, Offering.spot(zone), State.READY, Warning.REBALANCE);
        }

        Plan before = plan(Adaptive.start(), 3);
        assertThat(before.routed()).hasSize(3);
        assertThat(launched(before)).containsOnly("on-demand us-east-1a").hasSize(3);

        has("o1", Offering.onDemand("us-east-1a"), State.READY, Warning.NONE);
        Plan after = plan(Adaptive.start(), 3);
        assertThat(after.routed()).hasSize(3).contains("o1");
    }

    @Test
    void adaptiveSpreadsOverNoMoreZonesThanReplicas() {
        coldStart = Duration.ofSeconds(1);

        assertThat(launched(plan(Adaptive.spreadOver(2), 1)).stream().filter(it -> it.startsWith("spot")))
                .hasSize(1);
        assertThat(launched(plan(Adaptive.spreadOver(2), 2))).contains("spot us-east-1a", "spot us-east-1b");
    }

    @Test
    void adaptiveReplacesBeforeItLeavesAZoneThatIsRecommendedToLeave() {
        has("r1", Offering.spot("us-east-1a"), State.READY, Warning.REBALANCE);

        Plan plan = plan(Adaptive.start(), 1);

        assertThat(plan.routed()).containsExactly("r1");
        assertThat(plan.launches()).isNotEmpty();
        assertThat(launched(plan)).doesNotContain("spot us-east-1a");
    }

    @Test
    void adaptiveHoldsTheBaseOnDemand() {
        Plan plan = decide(Adaptive.start(), new Demand(3, 3, 12, java.util.Optional.empty()))
                .plan();

        assertThat(spot(plan)).isZero();
        assertThat(onDemand(plan)).isEqualTo(3);
    }

    @Test
    void adaptiveHedgesYoungZonesAndNotOldOnes() {
        ZoneOffer offer = ZoneOffer.of("us-east-1a", 1, 3);
        ZoneRisk young = ZoneRisk.UNKNOWN.after(0.1, true, 1);
        ZoneRisk old = ZoneRisk.UNKNOWN.after(24, true, 1);

        assertThat(young.lossesPerHour(offer)).isGreaterThan(1);
        assertThat(old.lossesPerHour(offer)).isLessThan(0.1);
        assertThat(old.lost().lossesPerHour(offer)).isGreaterThan(old.lossesPerHour(offer));
        assertThat(old.lossesPerHour(ZoneOffer.of("us-east-1a", 2, 3))).isGreaterThan(old.lossesPerHour(offer));
    }

    @ParameterizedTest
    @CsvSource({
        "us-east-1a, us-east-1",
        "use1-az2, use1",
        "us-central1-b, us-central1",
        "westeurope-1, westeurope",
        "pool, pool",
        "us-east-0a, us-east-0",
        "us-east-9z, us-east-9",
        "us-east-9_, us-east-9_",
        "rack-0, rack",
        "rack-9, rack",
        "rack-z, rack",
        "rack-_, rack-_",
        "rack-bc, rack-bc",
        "use1-azx1, use1-azx1",
        "use1-zz1, use1-zz1",
        "a, a",
        "1a, 1",
        "-a, ''",
        "on-prem-rack, on-prem-rack",
        "use1-az, use1-az",
        "use1-az12, use1"
    })
    void readsRegionsFromZones(String zone, String region) {
        assertThat(Regions.of(zone)).isEqualTo(region);
    }
}
