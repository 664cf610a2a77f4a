package io.knabla.controller.scale.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Reason.Cause;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.SpotTimeout;
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
    private static final List<Node> NODES = List.of(
            new Node("od", Pool.cpu, CapacityType.OnDemand, "local", "a", 8),
            new Node("reserved", Pool.cpu, CapacityType.OnDemand, "local", "a", 8, Purchase.Reserved),
            new Node("spot-a", Pool.cpu, CapacityType.Spot, "local", "a", 8),
            new Node("spot-b", Pool.cpu, CapacityType.Spot, "local", "b", 8));

    private final VersionFleet fleet = new VersionFleet(VersionFleet.Memory.NONE);
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, CapacitySignal> signals = new HashMap<>();
    private List<Replica> replicas = new ArrayList<>();
    private FunctionSpec spec = spec(2, 3);
    private Instant now = Instant.EPOCH;
    private NodePrices prices = NodePrices.UNKNOWN;
    private int launched;

    private static FunctionSpec spec(int min, int max) {
        return Specs.inference().scaling(min, max, 4, Duration.ofMinutes(1)).spec();
    }

    private static Replica replica(String id, String node, State state, Instant started) {
        return new Replica(
                id,
                Specs.id("digits"),
                1,
                Optional.empty(),
                node,
                state,
                Optional.empty(),
                "",
                Map.of(),
                started,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    private void has(String id, String node, State state) {
        replicas.add(replica(id, node, state, now));
    }

    private FleetPlan plan(int target) {
        return fleet.plan(new FleetInput(now, spec, target, replicas, NODES, signals, _ -> 0, 0), prices, random);
    }

    /** Carries a plan out. */
    private FleetPlan step(int target) {
        FleetPlan plan = plan(target);
        List<Replica> next = new ArrayList<>();
        for (Replica replica : replicas) {
            if (!plan.drains().containsKey(replica.id())) {
                next.add(replica(replica.id(), replica.node(), State.READY, replica.started()));
            }
        }
        now = now.plus(TICK);
        plan.launches().stream().limit(plan.missing()).forEach(launch -> next.add(start(launch)));
        plan.extra().ifPresent(launch -> next.add(start(launch)));
        replicas = next;
        return plan;
    }

    private Replica start(Launch launch) {
        String node = launch.offering().isSpot() ? "spot-" + launch.offering().zone() : "od";
        return replica("r" + launched++, node, State.STARTING, now);
    }

    private List<String> nodes() {
        return replicas.stream().map(Replica::node).sorted().toList();
    }

    private void warn(String node, Duration notice) {
        signals.put(node, new CapacitySignal(node, Kind.INTERRUPTION_WARNING, now.plus(notice)));
    }

    @Test
    void spreadsOverTwoZonesAndStartsNothingMore() {
        step(2);
        assertThat(nodes()).containsExactly("spot-a", "spot-b");
        for (int i = 0; i < 1000; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(plan.extra()).isEmpty();
            assertThat(plan.drains()).isEmpty();
        }
    }

    @Test
    void spotCapacityThatCostsMoreThanOnDemandIsNotUsed() {
        prices = node -> Optional.of(new NodePrices.Hourly(node.zone().equals("a") ? 1.1 : 0.3, 1));
        step(2);
        assertThat(nodes()).containsExactly("spot-b", "spot-b");
    }

    @Test
    void pricesOfSomeNodesAloneAreNotUsed() {
        prices = node -> Optional.of(new NodePrices.Hourly(1.1, 1))
                .filter(_ -> node.zone().equals("a"));
        step(2);
        assertThat(nodes()).containsExactly("spot-a", "spot-b");
    }

    @Test
    void aReplicaOnReservedCapacityStaysThere() {
        has("a", "reserved", State.READY);
        has("b", "spot-a", State.READY);
        for (int i = 0; i < 100; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(plan.drains()).doesNotContainKey("a");
        }
    }

    @Test
    void requestsLongerThanTheNoticeRunOnDemand() {
        spec = Specs.inference().timeout(SpotTimeout.LONGEST.plusMillis(1)).spec();
        step(2);
        assertThat(nodes()).containsExactly("od", "od");
    }

    /** Its policy wants it on demand, but there was no slot. */
    @Test
    void aReplicaThatTheTargetNeedsStaysOnSpot() {
        spec = Specs.inference().policy(SpotPolicyName.StaticMix).spec();
        has("a", "spot-a", State.READY);
        assertThat(plan(1).drains()).isEmpty();
        has("b", "od", State.READY);
        assertThat(plan(1).drains()).containsOnlyKeys("a");
    }

    /** The base of one replica that StaticMix has is part of the function's own base. */
    @Test
    void staticMixRunsNoMoreThanTheTarget() {
        spec = Specs.inference()
                .placement(Pool.auto, Capacity.Mixed, 2)
                .policy(SpotPolicyName.StaticMix)
                .spec();

        assertThat(step(3).goal()).isEqualTo(new FleetPlan.Goal(1, 2));
        assertThat(step(3).goal()).isEqualTo(new FleetPlan.Goal(1, 2));
        assertThat(nodes()).filteredOn(node -> node.startsWith("spot")).hasSize(1);
    }

    @Test
    void returnsToSpotOneAtATimeWhenItIsSafe() {
        step(2);
        step(2);
        warn("spot-a", Duration.ofMinutes(2));
        warn("spot-b", Duration.ofMinutes(2));
        step(2);
        step(2);
        step(2);
        assertThat(nodes()).as("no other capacity is left").containsExactly("od", "od");
        signals.clear();

        int starts = 0;
        Instant left = now;
        Instant last = now;
        for (int i = 0; i < 1800; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).as("enough are ready all the time").isZero();
            assertThat(replicas).hasSizeLessThanOrEqualTo(spec.scaling().max() + 1);
            starts += plan.extra().isPresent() ? 1 : 0;
            last = plan.extra().isPresent() || !plan.drains().isEmpty() ? now : last;
            if (plan.extra().isPresent()) {
                assertThat(Duration.between(left, now)).isGreaterThan(Duration.ofMinutes(5));
            }
        }
        assertThat(nodes()).containsExactly("spot-a", "spot-b");
        assertThat(starts)
                .as("two return, and one covers the loss of a zone for a while")
                .isLessThanOrEqualTo(3);
        assertThat(Duration.between(last, now)).as("nothing flaps").isGreaterThan(Duration.ofMinutes(30));
    }

    @Test
    void aWarnedReplicaIsReplacedAtOnceAndLeavesIfAnotherIsReady() {
        has("a", "spot-a", State.READY);
        has("b", "spot-b", State.READY);
        warn("spot-a", Duration.ofMinutes(2));

        FleetPlan plan = plan(2);

        assertThat(plan.missing()).isEqualTo(1);
        assertThat(plan.drains().get("a").cause()).isEqualTo(Cause.INTERRUPTION_WARNING);
        assertThat(plan.kept()).containsOnlyKeys("b");
    }

    @Test
    void theOnlyReplicaStaysUntilItsNoticeNearlyEnds() {
        has("a", "spot-a", State.READY);
        warn("spot-a", FleetStates.LONGEST_DRAIN.plusSeconds(1));

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
        spec = spec(2, 2);
        has("a", "spot-a", State.READY);
        has("b", "spot-a", State.READY);
        signals.put("spot-a", new CapacitySignal("spot-a", Kind.REBALANCE_RECOMMENDED, now.plusSeconds(60)));

        for (int i = 0; i < 10; i++) {
            FleetPlan plan = step(2);
            assertThat(plan.missing()).isZero();
            assertThat(replicas).hasSizeBetween(2, 3);
        }
        assertThat(nodes()).doesNotContain("spot-a").hasSize(2);
    }

    @Test
    void aTrainingStepIsNeverReplacedBeforeItHasEnded() {
        spec = Specs.inference()
                .type(FunctionType.TrainingStep)
                .scaling(1, 1, 4, Duration.ofMinutes(1))
                .spec();
        has("a", "spot-a", State.READY);
        warn("spot-a", Duration.ofMinutes(2));

        FleetPlan warned = plan(1);
        assertThat(warned.drains()).containsOnlyKeys("a");
        assertThat(warned.missing()).isZero();

        replicas.clear();
        assertThat(plan(1).missing()).isEqualTo(1);
    }

    @Test
    void theLeastBusyOfTheOfferingIsDrained() {
        spec = Specs.inference().placement(Pool.cpu, Capacity.OnDemand, 0).spec();
        has("busy", "od", State.READY);
        now = now.plusSeconds(1);
        has("idle", "od", State.READY);
        now = now.plusSeconds(1);
        has("young", "od", State.READY);
        Map<String, Integer> work = Map.of("busy", 3, "idle", 0, "young", 1);

        FleetPlan plan =
                fleet.plan(new FleetInput(now, spec, 2, replicas, NODES, signals, work::get, 0), prices, random);

        assertThat(plan.drains()).containsOnlyKeys("idle");
    }
}
