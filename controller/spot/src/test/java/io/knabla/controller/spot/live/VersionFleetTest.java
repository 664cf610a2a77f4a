package io.knabla.controller.spot.live;

import static io.knabla.controller.spot.live.Versions.OD;
import static io.knabla.controller.spot.live.Versions.SPOT_A;
import static io.knabla.controller.spot.live.Versions.SPOT_B;
import static io.knabla.controller.spot.live.Versions.ZONES;
import static io.knabla.controller.spot.live.Versions.replica;
import static io.knabla.controller.spot.live.Versions.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Plans of one version over time, whose replicas start where the plan says and are ready two seconds later. */
class VersionFleetTest {
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final VersionFleet fleet = new VersionFleet(VersionFleet.Memory.NONE);
    private final SplittableRandom random = new SplittableRandom(1);

    /** Of all nodes of an offering. */
    private final Map<Offering, CapacitySignal> signals = new HashMap<>();

    private List<LiveReplica> replicas = new ArrayList<>();
    private FleetRules rules = rules(Adaptive.spreadOver(2), 3);
    private Instant now = Instant.EPOCH;
    private int launched;

    private void has(String id, Offering offering, State state) {
        replicas.add(replica(id, offering, state, now));
    }

    private LiveReplica signalled(LiveReplica replica) {
        return replica.offering()
                .map(signals::get)
                .map(signal -> Versions.with(replica, signal.kind(), signal.until()))
                .orElse(replica);
    }

    private FleetPlan plan(int target) {
        List<LiveReplica> own = replicas.stream().map(this::signalled).toList();
        return fleet.plan(new FleetInput(now, rules, target, own, ZONES, _ -> 0), random);
    }

    /** Carries a plan out. */
    private FleetPlan step(int target) {
        FleetPlan plan = plan(target);
        List<LiveReplica> next = new ArrayList<>();
        for (LiveReplica replica : replicas) {
            if (!plan.drains().containsKey(replica.id())) {
                next.add(replica.in(State.READY));
            }
        }
        now = now.plus(TICK);
        plan.launches().stream().limit(plan.missing()).forEach(launch -> next.add(start(launch)));
        plan.extra().ifPresent(launch -> next.add(start(launch)));
        replicas = next;
        return plan;
    }

    private LiveReplica start(Launch launch) {
        return replica("r" + launched++, launch.offering(), State.STARTING, now);
    }

    private List<Offering> offerings() {
        return replicas.stream()
                .map(replica -> replica.offering().orElseThrow())
                .toList();
    }

    private void warn(Offering offering, Duration notice) {
        signals.put(offering, new CapacitySignal("node", Kind.INTERRUPTION_WARNING, now.plus(notice)));
    }

    @Test
    void spreadsOverTwoZonesAndStartsNothingMore() {
        step(2);
        assertThat(offerings()).containsExactlyInAnyOrder(SPOT_A, SPOT_B);
        for (int i = 0; i < 1000; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(plan.extra()).isEmpty();
            assertThat(plan.drains()).isEmpty();
        }
    }

    @Test
    void aReplicaOnReservedCapacityStaysThere() {
        replicas.add(new LiveReplica("a", "reserved", Optional.of(OD), now, State.READY, true, Optional.empty()));
        has("b", SPOT_A, State.READY);
        for (int i = 0; i < 100; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(plan.drains()).doesNotContainKey("a");
        }
    }

    /** Its policy wants it on demand, but there was no slot. */
    @Test
    void aReplicaThatTheTargetNeedsStaysOnSpot() {
        rules = rules(StaticMix.of(1), 10);
        has("a", SPOT_A, State.READY);
        assertThat(plan(1).drains()).isEmpty();
        has("b", OD, State.READY);
        assertThat(plan(1).drains()).containsOnlyKeys("a");
    }

    /** Its policy has no fallback, so it says at once that capacity on demand may go. */
    @Test
    void aStandInLeavesOnlyWhenSpotServesInItsPlace() {
        rules = rules(StaticMix.of(1), 10);
        has("a", OD, State.READY);
        now = now.plusSeconds(1);
        has("b", OD, State.READY);
        has("c", SPOT_A, State.STARTING);
        assertThat(plan(2).drains()).isEmpty();

        replicas.set(2, replicas.get(2).in(State.READY));
        assertThat(plan(2).drains()).containsOnlyKeys("b");
        assertThat(plan(2).drains().get("b").cause()).isEqualTo(Cause.SPOT_IS_READY);
    }

    @Test
    void onDemandAloneIsSurplusWhenTheLoadFalls() {
        rules = rules(new OnDemandOnly(), 10);
        has("a", OD, State.READY);
        has("b", OD, State.STARTING);

        assertThat(plan(1).drains()).containsOnlyKeys("b");
        assertThat(plan(1).drains().get("b").cause()).isEqualTo(Cause.SURPLUS);
    }

    /** The base of one replica that StaticMix has is part of the function's own base. */
    @Test
    void staticMixRunsNoMoreThanTheTarget() {
        rules = new FleetRules(StaticMix.of(2), 10, 2, 2, TIMEOUT, false);

        assertThat(step(3).goal()).isEqualTo(new FleetPlan.Goal(1, 2));
        assertThat(step(3).goal()).isEqualTo(new FleetPlan.Goal(1, 2));
        assertThat(offerings()).filteredOn(Offering::isSpot).hasSize(1);
    }

    @Test
    void aZoneThatRefusedALaunchIsNotTriedAgainForAWhile() {
        rules = rules(Adaptive.spreadOver(1), 3);
        Offering first = plan(1).launches().getFirst().offering();

        fleet.refused(first, now);

        assertThat(plan(1).launches())
                .extracting(Launch::offering)
                .doesNotContain(first)
                .anyMatch(Offering::isSpot);
    }

    @Test
    void returnsToSpotOneAtATimeWhenItIsSafe() {
        step(2);
        step(2);
        warn(SPOT_A, Duration.ofMinutes(2));
        warn(SPOT_B, Duration.ofMinutes(2));
        step(2);
        step(2);
        step(2);
        assertThat(offerings()).as("no other capacity is left").containsExactly(OD, OD);
        signals.clear();

        int starts = 0;
        Instant left = now;
        Instant last = now;
        for (int i = 0; i < 1800; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).as("enough are ready all the time").isZero();
            assertThat(replicas).hasSizeLessThanOrEqualTo(rules.max() + 1);
            starts += plan.extra().isPresent() ? 1 : 0;
            last = plan.extra().isPresent() || !plan.drains().isEmpty() ? now : last;
            if (plan.extra().isPresent()) {
                assertThat(Duration.between(left, now)).isGreaterThan(Duration.ofMinutes(5));
            }
        }
        assertThat(offerings()).containsExactlyInAnyOrder(SPOT_A, SPOT_B);
        assertThat(starts)
                .as("two return, and one covers the loss of a zone for a while")
                .isLessThanOrEqualTo(3);
        assertThat(Duration.between(last, now)).as("nothing flaps").isGreaterThan(Duration.ofMinutes(30));
    }

    @Test
    void aWarnedReplicaIsReplacedAtOnceAndLeavesIfAnotherIsReady() {
        has("a", SPOT_A, State.READY);
        has("b", SPOT_B, State.READY);
        warn(SPOT_A, Duration.ofMinutes(2));

        FleetPlan plan = plan(2);

        assertThat(plan.missing()).isEqualTo(1);
        assertThat(plan.drains().get("a").cause()).isEqualTo(Cause.INTERRUPTION_WARNING);
        assertThat(plan.kept()).containsOnlyKeys("b");
    }

    @Test
    void theOnlyReplicaStaysUntilItsNoticeNearlyEnds() {
        has("a", SPOT_A, State.READY);
        warn(SPOT_A, FleetStates.LONGEST_DRAIN.plusSeconds(1));

        FleetPlan before = plan(1);
        now = now.plusSeconds(1);
        FleetPlan after = plan(1);

        assertThat(before.drains()).isEmpty();
        assertThat(before.kept().get("a").cause()).isEqualTo(Cause.REPLACEMENT_STARTING);
        assertThat(before.missing()).isEqualTo(1);
        assertThat(after.drains()).containsOnlyKeys("a");
    }

    @Test
    void aReplacementMayExceedTheMaximumByOne() {
        rules = rules(Adaptive.spreadOver(2), 2);
        has("a", SPOT_A, State.READY);
        has("b", SPOT_A, State.READY);
        signals.put(SPOT_A, new CapacitySignal("spot-a", Kind.REBALANCE_RECOMMENDED, now.plusSeconds(60)));

        for (int i = 0; i < 10; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(replicas).hasSizeBetween(2, 3);
        }
        assertThat(offerings()).doesNotContain(SPOT_A).hasSize(2);
    }

    @Test
    void aTrainingStepIsNeverReplacedBeforeItHasEnded() {
        rules = new FleetRules(Adaptive.spreadOver(2), 1, 0, 0, TIMEOUT, true);
        has("a", SPOT_A, State.READY);
        warn(SPOT_A, Duration.ofMinutes(2));

        FleetPlan warned = plan(1);
        assertThat(warned.drains()).containsOnlyKeys("a");
        assertThat(warned.missing()).isZero();

        replicas.clear();
        assertThat(plan(1).missing()).isEqualTo(1);
    }

    @Test
    void theLeastBusyOfTheOfferingIsDrained() {
        rules = rules(new OnDemandOnly(), 10);
        has("busy", OD, State.READY);
        now = now.plusSeconds(1);
        has("idle", OD, State.READY);
        now = now.plusSeconds(1);
        has("young", OD, State.READY);
        Map<String, Integer> work = Map.of("busy", 3, "idle", 0, "young", 1);

        FleetPlan plan = fleet.plan(new FleetInput(now, rules, 2, replicas, ZONES, work::get), random);

        assertThat(plan.drains()).containsOnlyKeys("idle");
    }
}
