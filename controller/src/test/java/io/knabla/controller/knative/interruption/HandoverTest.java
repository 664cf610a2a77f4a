package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.interruption.Handover.Move;
import io.knabla.controller.knative.interruption.Handover.Reason;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import io.knabla.controller.standin.ToyWorkload;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node {@code a} is closed, {@code b} is open; pod names begin with those of their nodes. */
class HandoverTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final Instant BEFORE = NOW.minusSeconds(600);
    private static final Instant AFTER = NOW.plusSeconds(3);
    private static final Instant SETTLED = AFTER.plus(Handover.SETTLED);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final VersionKey VERSION = new VersionKey(new FunctionId("shop", "digits"), 1);

    private static RunningPod pod(String name, boolean ready, Instant created) {
        return pod(name, ready, created, GRACE);
    }

    private static RunningPod pod(String name, boolean ready, Instant created, Duration grace) {
        return new RunningPod(
                name,
                "shop",
                name,
                WorkloadOwner.of(VERSION),
                "digits-1",
                new CapacitySlot(Pool.cpu, CapacityType.Spot),
                name.substring(0, 1),
                Optional.of(created).filter(_ -> ready),
                created,
                grace,
                Optional.empty());
    }

    private static RunningPod waiting(Instant since) {
        return new RunningPod(
                "c",
                "shop",
                "c",
                WorkloadOwner.of(VERSION),
                "digits-1",
                new CapacitySlot(Pool.cpu, CapacityType.Spot),
                "",
                Optional.empty(),
                AFTER,
                GRACE,
                Optional.of(since));
    }

    private static Map<String, InterruptionTaint> closed(Kind kind) {
        return Map.of("a", new InterruptionTaint(kind, Cause.ANNOUNCED, NOW, NOW.plusSeconds(120)));
    }

    private static Handover plan(Kind kind, Duration after, RunningPod... pods) {
        return Handover.of(List.of(pods), closed(kind), true, Set.of(), NOW.plus(after));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // kind,                other, replacement, after, why, grace
                "REBALANCE_RECOMMENDED, true,  false, 60,  -,            0",
                "REBALANCE_RECOMMENDED, true,  true,  60,  REPLACED,     30",
                "INTERRUPTION_WARNING,  false, false, 84,  -,            0",
                "INTERRUPTION_WARNING,  false, false, 85,  NOTICE_ENDS,  30",
                "INTERRUPTION_WARNING,  false, false, 110, NOTICE_ENDS,  5",
                "INTERRUPTION_WARNING,  false, false, 119, NOTICE_ENDS,  1",
                "INTERRUPTION_WARNING,  false, true,  7,   -,            0",
                "INTERRUPTION_WARNING,  false, true,  8,   REPLACED,     30",
                "INTERRUPTION_WARNING,  true,  false, 1,   OTHERS_SERVE, 30",
                "GONE,                  false, false, 0,   NODE_LOST,    30",
            })
    void aReplicaLeavesWhenItsRequestsCanBeServedElsewhere(
            Kind kind, boolean other, boolean replacement, int after, Reason why, int grace) {
        RunningPod leaving = pod("a1", true, BEFORE);
        Handover plan =
                plan(kind, Duration.ofSeconds(after), leaving, pod("b1", other, BEFORE), pod("b2", replacement, AFTER));

        assertThat(plan.moves())
                .isEqualTo(why == null ? List.of() : List.of(new Move(leaving, why, Duration.ofSeconds(grace), NOW)));
    }

    /** Knative may be about to end the other one, which Kubernetes would choose. */
    @ParameterizedTest
    @CsvSource({"4, 0", "5, 1"})
    void aReplicaStaysUntilTheOthersHaveBeenReadyForAWhile(int after, int moves) {
        RunningPod leaving = pod("a1", true, BEFORE);
        RunningPod youngest = pod("b1", true, NOW);

        assertThat(plan(Kind.INTERRUPTION_WARNING, Duration.ofSeconds(after), leaving, youngest)
                        .moves())
                .hasSize(moves);
    }

    /** Its streams end with the node either way; meanwhile it serves. */
    @ParameterizedTest
    @CsvSource({"24, 0", "25, 1"})
    void aReplicaThatMayTakeLongerThanTheNoticeDoesNotLeaveAtOnce(int after, int moves) {
        RunningPod leaving = pod("a1", true, BEFORE, Duration.ofMinutes(10));
        List<Move> planned = plan(Kind.INTERRUPTION_WARNING, Duration.ofSeconds(after), leaving)
                .moves();

        assertThat(planned)
                .isEqualTo(List.of(new Move(leaving, Reason.NOTICE_ENDS, Duration.ofSeconds(90), NOW))
                        .subList(0, moves));
    }

    /** No other pod stands in for it, whatever runs in its namespace, and nobody is asked to start one more. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "REBALANCE_RECOMMENDED, 60, -,           0",
                "INTERRUPTION_WARNING,  84, -,           0",
                "INTERRUPTION_WARNING,  85, NOTICE_ENDS, 30",
                "GONE,                  0,  NODE_LOST,   30",
            })
    void aPodOfAnotherKindOfObjectStaysUntilItMustLeave(Kind kind, int after, Reason why, int grace) {
        RunningPod toy = RunningPod.of(ToyWorkload.pod("a", BEFORE)).orElseThrow();
        RunningPod elsewhere = RunningPod.of(new PodBuilder(ToyWorkload.pod("b", AFTER))
                        .editMetadata()
                        .withUid("other")
                        .endMetadata()
                        .build())
                .orElseThrow();
        Handover plan = plan(kind, Duration.ofSeconds(after), toy, elsewhere, pod("b1", true, AFTER));

        assertThat(plan.moves())
                .isEqualTo(why == null ? List.of() : List.of(new Move(toy, why, Duration.ofSeconds(grace), NOW)));
        assertThat(plan.minimums()).isEmpty();
        assertThat(plan.onSpot()).containsExactly(VERSION.function());
        assertThat(Crowding.of(List.of(toy, toy, toy), List.of(Set.of("a", "b"))))
                .isEmpty();
    }

    @Test
    void replacementsStartBeforeReplicasLeave() {
        RunningPod[] pods = {pod("a1", true, BEFORE), pod("a2", true, BEFORE), pod("b1", true, BEFORE)};
        assertThat(plan(Kind.REBALANCE_RECOMMENDED, Duration.ZERO, pods).minimums())
                .isEqualTo(Map.of(VERSION, 5));
        assertThat(plan(Kind.GONE, Duration.ZERO, pods).minimums()).isEmpty();
    }

    @Test
    void withoutSpotCapacityFunctionsAreServedElsewhere() {
        RunningPod leaving = pod("a1", true, BEFORE);
        var closed = closed(Kind.INTERRUPTION_WARNING);
        assertThat(Handover.of(List.of(leaving), closed, false, Set.of(), NOW).withoutSpot())
                .containsExactly(VERSION.function());
        assertThat(Handover.of(List.of(leaving), closed, true, Set.of(), NOW).withoutSpot())
                .isEmpty();
        assertThat(Handover.of(List.of(leaving, pod("b1", true, BEFORE)), closed, false, Set.of(), NOW)
                        .withoutSpot())
                .isEmpty();
    }

    @Test
    void aReplicaLeavesOnceOnDemandCapacityServes() {
        RunningPod leaving = pod("a1", true, BEFORE);
        RunningPod onDemand = new RunningPod(
                "b1",
                "shop",
                "b1",
                WorkloadOwner.of(VERSION),
                "digits-1-on-demand",
                new CapacitySlot(Pool.cpu, CapacityType.OnDemand),
                "b",
                Optional.of(BEFORE),
                BEFORE,
                GRACE,
                Optional.empty());
        var closed = closed(Kind.INTERRUPTION_WARNING);
        List<RunningPod> pods = List.of(leaving, onDemand);
        assertThat(Handover.of(pods, closed, false, Set.of(), NOW).moves()).isEmpty();
        assertThat(Handover.of(pods, closed, false, Set.of(VERSION.function()), NOW)
                        .moves())
                .extracting(Move::reason)
                .containsExactly(Reason.OTHERS_SERVE);
    }

    @Test
    void aReplicaThatFindsNoNodeMeansNoSpotCapacityAfterAWhile() {
        Instant since = NOW.minus(Handover.PATIENCE);
        assertThat(Handover.of(List.of(waiting(since)), Map.of(), true, Set.of(), NOW)
                        .withoutSpot())
                .containsExactly(VERSION.function());
        assertThat(Handover.of(List.of(waiting(since.plusMillis(1))), Map.of(), true, Set.of(), NOW)
                        .withoutSpot())
                .isEmpty();
        assertThat(Handover.of(List.of(waiting(since), pod("b1", true, BEFORE)), Map.of(), true, Set.of(), NOW)
                        .withoutSpot())
                .isEmpty();
    }

    /**
     * Carries out plan after plan, with as many pods as Kubernetes would start. Bits of each round: whether starting
     * pods become ready, and whether the platform decides.
     */
    @Property
    void noReplicaIsMissedAndMinimumsEnd(
            @ForAll @IntRange(min = 1, max = 5) int leaving,
            @ForAll @IntRange(max = 5) int staying,
            @ForAll @Size(max = 30) List<@IntRange(max = 3) Integer> rounds) {
        List<RunningPod> pods = new ArrayList<>();
        for (int i = 0; i < leaving; i++) {
            pods.add(pod("a" + i, true, BEFORE));
        }
        for (int i = 0; i < staying; i++) {
            pods.add(pod("b" + i, true, BEFORE));
        }
        for (int round : rounds) {
            if ((round & 1) > 0) {
                pods.replaceAll(pod -> pod(pod.name(), true, pod.created()));
            }
            if ((round & 2) > 0) {
                apply(pods, leaving + staying);
            }
        }
        for (int i = 0; i < 2; i++) {
            apply(pods, leaving + staying);
            pods.replaceAll(pod -> pod(pod.name(), true, pod.created()));
        }
        apply(pods, leaving + staying);

        assertThat(pods).noneMatch(pod -> pod.node().equals("a"));
        assertThat(Handover.of(pods, closed(Kind.REBALANCE_RECOMMENDED), true, Set.of(), SETTLED))
                .isEqualTo(new Handover(List.of(), Map.of(), Set.of(VERSION.function()), Set.of()));
    }

    private static void apply(List<RunningPod> pods, int wanted) {
        Handover plan = Handover.of(pods, closed(Kind.REBALANCE_RECOMMENDED), true, Set.of(), SETTLED);
        plan.moves().forEach(move -> pods.remove(move.pod()));
        int least = Math.max(wanted, plan.minimums().getOrDefault(VERSION, 0));
        while (pods.size() < least) {
            pods.add(pod("bnew" + pods.size() + pods.hashCode(), false, AFTER));
        }
        assertThat(pods).filteredOn(RunningPod::ready).hasSizeGreaterThanOrEqualTo(wanted);
        assertThat(least).isLessThanOrEqualTo(2 * wanted);
    }
}
