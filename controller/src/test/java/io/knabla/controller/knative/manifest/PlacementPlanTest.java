package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.SpotRoom;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which slots and shares a version gets: named scenarios, and properties over random ones. */
class PlacementPlanTest {
    private static final Duration IDLE = Duration.ofSeconds(60);

    /** Each share is slot:percent:min..max. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                        | capacity | base | min | max | supply                 | shares                                         | reason
            asked for on demand               | OnDemand | 0    | 1   | 10  | cpu-spot               | cpu-on-demand:100:1..10                        | asks for on-demand
            asked for spot, none seen         | Spot     | 0    | 0   | 4   |                        | cpu-spot:100:0..4                              | asks for spot
            mixed without spot                | Mixed    | 2    | 0   | 10  | cpu-on-demand,gpu-spot | cpu-on-demand:100:0..10                        | no cpu-spot node
            mixed, no base                    | Mixed    | 0    | 1   | 10  | cpu-spot               | cpu-spot:100:1..10 cpu-on-demand:0:0..10       | stands by
            mixed, a tenth                    | Mixed    | 1    | 0   | 10  | cpu-spot               | cpu-spot:90:0..9 cpu-on-demand:10:1..1         | 1 of at most 10
            mixed, base is part of the min    | Mixed    | 2    | 5   | 8   | cpu-spot               | cpu-spot:75:3..6 cpu-on-demand:25:2..2         | 2 of at most 8
            mixed, base above the min         | Mixed    | 3    | 1   | 9   | cpu-spot               | cpu-spot:67:0..6 cpu-on-demand:33:3..3         | 3 of at most 9
            a small base still has its share  | Mixed    | 1    | 0   | 900 | cpu-spot               | cpu-spot:99:0..899 cpu-on-demand:1:1..1        | 1 of at most 900
            nearly all are base               | Mixed    | 899  | 0   | 900 | cpu-spot               | cpu-spot:1:0..1 cpu-on-demand:99:899..899      | 899 of at most 900
            the base is everything            | Mixed    | 3    | 0   | 3   | cpu-spot               | cpu-on-demand:100:0..3                         | all of spec.scaling.max
            """)
    void plans(
            String scenario,
            Capacity capacity,
            int base,
            int min,
            int max,
            String supply,
            String shares,
            String reason) {
        FunctionSpec spec = Specs.inference()
                .placement(Pool.auto, capacity, base)
                .scaling(min, max, 4, IDLE)
                .spec();

        PlacementPlan plan = plan(spec, supply(supply));

        assertThat(text(plan)).isEqualTo(shares);
        assertThat(plan.reason()).contains(reason);
    }

    private static PlacementPlan plan(FunctionSpec spec, AvailableCapacity supply) {
        return PlacementPlan.of(spec, supply, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            OnDemandOnly | 0 | cpu-spot | cpu-on-demand:100:1..10                  | policy is OnDemandOnly
            SpotOnly     | 0 | cpu-spot | cpu-spot:100:1..10                       | policy is SpotOnly
            SpotOnly     | 0 |          | cpu-spot:100:1..10                       | policy is SpotOnly
            SpotOnly     | 2 | cpu-spot | cpu-spot:80:0..8 cpu-on-demand:20:2..2   | onDemandBase of 2
            StaticMix    | 0 | cpu-spot | cpu-spot:90:0..9 cpu-on-demand:10:1..1   | the replica of policy StaticMix
            StaticMix    | 2 | cpu-spot | cpu-spot:80:0..8 cpu-on-demand:20:2..2   | onDemandBase of 2
            SpotHedge    | 0 | cpu-spot | cpu-spot:100:1..10 cpu-on-demand:0:0..10 | stands by
            """)
    void policiesUseTheirKindsOfCapacity(SpotPolicyName policy, int base, String supply, String shares, String reason) {
        FunctionSpec spec = Specs.inference()
                .placement(Pool.auto, Capacity.Mixed, base)
                .policy(policy)
                .scaling(1, 10, 4, IDLE)
                .spec();

        PlacementPlan plan = plan(spec, supply(supply));

        assertThat(text(plan)).isEqualTo(shares);
        assertThat(plan.reason()).contains(reason);
    }

    /** Function with at most 10 replicas; split is target, spot, on demand. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 | 4,5,0  | cpu-spot:100:5..10 cpu-on-demand:0:0..10  | runs 1 more than the load needs
            0 | 9,18,0 | cpu-spot:100:10..10 cpu-on-demand:0:0..10 | runs 9 more
            2 | 4,4,2  | cpu-spot:80:4..8 cpu-on-demand:20:2..2    | runs 2 more
            0 | 4,4,1  | cpu-spot:75:4..10 cpu-on-demand:25:1..3   | 1 of 4 replicas on cpu-on-demand
            0 | 4,0,4  | cpu-spot:0:1..10 cpu-on-demand:100:4..10  | 4 of 4 replicas on cpu-on-demand
            2 | 4,2,3  | cpu-spot:25:2..8 cpu-on-demand:75:3..8    | 3 of 4
            """)
    void aSplitAddsReplicasAndCoversMissingOnes(int base, String split, String shares, String reason) {
        FunctionSpec spec = Specs.inference()
                .placement(Pool.auto, Capacity.Mixed, base)
                .scaling(1, 10, 4, IDLE)
                .spec();

        PlacementPlan plan = PlacementPlan.of(spec, supply("cpu-spot"), Optional.of(split(split)));

        assertThat(text(plan)).isEqualTo(shares);
        assertThat(plan.reason()).contains(reason);
    }

    private static CapacitySplit split(String counts) {
        List<Integer> all =
                Arrays.stream(counts.split(",")).map(Integer::valueOf).toList();
        return new CapacitySplit(all.get(0), all.get(1), all.get(2));
    }

    @Property
    void splitsStayWithinTheBounds(
            @ForAll @IntRange(min = 1, max = 50) int max,
            @ForAll @IntRange(max = 50) int least,
            @ForAll @IntRange(max = 50) int wantedBase,
            @ForAll @IntRange(min = 1, max = 50) int target,
            @ForAll @IntRange(max = 100) int spot,
            @ForAll @IntRange(max = 50) int onDemand) {
        FunctionSpec spec = Specs.inference()
                .placement(Pool.auto, Capacity.Mixed, Math.min(wantedBase, max))
                .scaling(Math.min(least, max), max, 4, IDLE)
                .spec();
        var split = new CapacitySplit(Math.min(target, max), spot, Math.min(onDemand, Math.min(target, max)));

        PlacementPlan plan = PlacementPlan.of(spec, supply("cpu-spot"), Optional.of(split));

        assertThat(plan.shares().stream().mapToInt(PlacementPlan.Share::percent).sum())
                .isEqualTo(100);
        assertThat(plan.shares()).allMatch(share -> share.min() <= share.max() && share.max() <= max);
        assertThat(plan.shares().stream()
                        .filter(share -> share.percent() > 0)
                        .mapToInt(PlacementPlan.Share::max)
                        .sum())
                .isGreaterThanOrEqualTo(max);
    }

    @Test
    void keepsUnsuitableFunctionsOnDemand() {
        Specs mixed = Specs.inference().placement(Pool.cpu, Capacity.Mixed, 0);
        AvailableCapacity all = supply("cpu-spot,cpu-on-demand");

        assertThat(text(plan(mixed.timeout(Duration.ofSeconds(90)).spec(), all)))
                .startsWith("cpu-spot:100");
        PlacementPlan slow = plan(mixed.timeout(Duration.ofMillis(90_001)).spec(), all);
        assertThat(text(slow)).isEqualTo("cpu-on-demand:100:0..10");
        assertThat(slow.reason()).contains("spec.timeout");
        PlacementPlan training = plan(mixed.type(FunctionType.TrainingStep).spec(), all);
        assertThat(text(training)).isEqualTo("cpu-on-demand:100:0..10");
        assertThat(training.reason()).contains("TrainingStep");
    }

    @Test
    void usesSpotWhenRequestedExplicitly() {
        Specs spot = Specs.inference().placement(Pool.cpu, Capacity.Spot, 0).timeout(Duration.ofMinutes(10));

        PlacementPlan training = plan(spot.type(FunctionType.TrainingStep).spec(), supply(""));
        assertThat(text(training)).isEqualTo("cpu-spot:100:0..10");
        assertThat(training.reason()).contains("though a TrainingStep keeps its weights");
        assertThat(plan(spot.spec(), supply("")).reason()).contains("though a request may");
    }

    @Test
    void sendsNoRequestsToSimulatedNodes() {
        CapacitySlot spot = slot("cpu-spot");
        AvailableCapacity supply = new AvailableCapacity(Set.of(spot), Set.of(spot));

        PlacementPlan plan =
                plan(Specs.inference().placement(Pool.cpu, Capacity.Mixed, 2).spec(), supply);

        assertThat(text(plan)).isEqualTo("cpu-spot:0:0..10 cpu-on-demand:100:2..10");
        assertThat(plan.reason()).contains("KWOK");
        assertThat(text(plan(
                        Specs.inference().placement(Pool.cpu, Capacity.Spot, 0).spec(), supply)))
                .isEqualTo("cpu-spot:100:0..10");
    }

    @ParameterizedTest
    @CsvSource({
        "YES,   0, cpu-spot:100:3..10 cpu-on-demand:0:0..10",
        "NO,    0, cpu-spot:0:0..10 cpu-on-demand:100:3..10",
        "NO,    1, cpu-spot:0:0..10 cpu-on-demand:100:3..10",
        "TRIED, 1, cpu-spot:0:2..10 cpu-on-demand:100:3..10",
        "TRIED, 5, cpu-spot:0:1..10 cpu-on-demand:100:5..10",
    })
    void onDemandCapacityServesWhileSpotHasNoRoom(SpotRoom room, int base, String shares) {
        FunctionSpec spec = Specs.inference()
                .placement(Pool.cpu, Capacity.Mixed, base)
                .scaling(3, 10, 4, IDLE)
                .spec();

        assertThat(text(plan(spec, supply("cpu-spot,cpu-on-demand").with(room))))
                .isEqualTo(shares);
    }

    @ParameterizedTest
    @CsvSource({"auto,0,cpu", "auto,1,gpu", "gpu,0,gpu", "cpu,0,cpu", "gpu,2,gpu"})
    void choosesPoolFromGpusOrPlacement(Pool asked, int gpus, Pool pool) {
        FunctionSpec spec = Specs.inference()
                .resources(new Resources(Optional.empty(), Optional.empty(), gpus))
                .placement(asked, Capacity.OnDemand, 0)
                .spec();

        PlacementPlan plan = plan(spec, supply(""));

        assertThat(plan.slots()).containsExactly(new CapacitySlot(pool, CapacityType.OnDemand));
    }

    @Test
    void saysWhyADeployChoseThePool() {
        FunctionSpec spec = Specs.inference().spec().withPool(Pool.gpu);

        PlacementPlan plan = plan(spec, supply(""))
                .decidedBy(Optional.of(new PoolDecision(Pool.gpu, "it pays from 199 calls a second")));

        assertThat(plan.slots()).allSatisfy(slot -> assertThat(slot.pool()).isEqualTo(Pool.gpu));
        assertThat(plan.reason()).endsWith("; spec.placement.pool is auto: it pays from 199 calls a second");
        assertThat(plan.decidedBy(Optional.empty())).isEqualTo(plan);
    }

    @Test
    void saysWhichNodesOfferAShareOfAGpu() {
        FunctionSpec spec = Specs.inference()
                .resources(new Resources(Optional.empty(), Optional.empty(), 0.25))
                .spec();

        PlacementPlan plan = plan(spec, supply(""));

        assertThat(plan.slots()).allSatisfy(slot -> assertThat(slot.pool()).isEqualTo(Pool.gpu));
        assertThat(plan.reason())
                .contains(
                        "gpu: 0.25 runs on nodes that offer each GPU in 4 shares (label nvidia.com/gpu.replicas)",
                        "if nodes offer whole GPUs, write gpu: 1, or let the device plugin share them");
    }

    @Property
    void sharesAddUpAndFitScaling(
            @ForAll Capacity capacity,
            @ForAll FunctionType type,
            @ForAll @IntRange(min = 1, max = 1000) int max,
            @ForAll @IntRange(max = 1000) int least,
            @ForAll @IntRange(max = 1000) int wantedBase,
            @ForAll Set<@IntRange(max = 3) Integer> slots,
            @ForAll boolean simulated) {
        int min = Math.min(least, max);
        int base = capacity == Capacity.Spot ? 0 : Math.min(wantedBase, max);
        FunctionSpec spec = Specs.inference()
                .type(type)
                .placement(Pool.auto, capacity, base)
                .scaling(min, max, 4, IDLE)
                .spec();

        PlacementPlan plan = plan(
                spec,
                new AvailableCapacity(
                        slots.stream()
                                .map(i -> CapacitySlot.all().toList().get(i))
                                .collect(Collectors.toSet()),
                        simulated ? CapacitySlot.all().collect(Collectors.toSet()) : Set.of(),
                        SpotRoom.values()[max % SpotRoom.values().length]));

        assertThat(plan.shares().stream().mapToInt(PlacementPlan.Share::percent).sum())
                .isEqualTo(100);
        assertThat(plan.shares().stream().mapToInt(PlacementPlan.Share::min).sum())
                .isGreaterThanOrEqualTo(min);
        assertThat(plan.shares())
                .allMatch(share -> share.min() <= share.max() && share.max() >= 1)
                .allMatch(share -> share.max() <= max);
        assertThat(plan.shares().stream()
                        .filter(share -> share.percent() > 0)
                        .mapToInt(PlacementPlan.Share::max)
                        .sum())
                .as("the slots that take requests together")
                .isEqualTo(max);
        assertThat(plan.slots()).hasSameSizeAs(plan.shares());
        assertThat(PlacementPlan.possibleSlots(spec)).containsAll(plan.slots());
        if (type == FunctionType.TrainingStep) {
            assertThat(plan.shares()).hasSize(1);
        }
    }

    static AvailableCapacity supply(String slots) {
        return new AvailableCapacity(
                slots == null || slots.isEmpty()
                        ? Set.of()
                        : Arrays.stream(slots.split(","))
                                .map(PlacementPlanTest::slot)
                                .collect(Collectors.toSet()),
                Set.of());
    }

    static CapacitySlot slot(String text) {
        return CapacitySlot.all()
                .filter(slot -> slot.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    private static String text(PlacementPlan plan) {
        return plan.shares().stream()
                .map(s -> "%s:%d:%d..%d".formatted(s.slot(), s.percent(), s.min(), s.max()))
                .collect(Collectors.joining(" "));
    }
}
