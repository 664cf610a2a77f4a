package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * A small fleet, priced by hand under every scenario. All expected amounts are literals; the arithmetic is above them.
 *
 * <p>The period is 00:00 to 04:00. An instance is 0.36 USD/h on demand (0.0001 a second), 0.12 on spot until 02:00 and
 * 0.18 then, 0.234 and 0.144 committed for 1 and 3 years.
 *
 * <pre>
 * n1  on demand  00:00-03:00  released             3 h
 * n2  spot       00:30-01:20  interrupted         50 min, in its first hour: free
 * n3  spot       01:18-03:18  released, after n2   2 h: 42 min at 0.12, 78 min at 0.18
 *
 * r1  resize on n1, 1/4 of it, 00:00-03:00     start 180 s, 7,080 requests of 1.2 s, uses half of what it has
 * r4  resize on n1, 1/4 of it, 01:00-01:00:30  start  10 s,    10 requests of 1 s, uses all of what it has
 * r2  embed  on n2, 1/2 of it, 00:30-01:20     start 120 s,   720 requests of 2 s (20 failed), 80 retried, uses half
 * r3  embed  on n3, 1/2 of it, 01:18-03:18     start  60 s, 1,785 requests of 2 s, uses all of what it has
 * </pre>
 */
class WorkedExampleTest {
    private static final Period PERIOD = Period.past(Rows.at("00:00"), Rows.at("04:00"));

    private static final List<NodeInterval> NODES = List.of(
            TestNodes.node("n1", CapacityType.ON_DEMAND, Rows.time("00:00", "03:00"), NodeEnd.RELEASED),
            TestNodes.node("n2", CapacityType.SPOT, Rows.time("00:30", "01:20"), NodeEnd.INTERRUPTED),
            TestNodes.node("n3", CapacityType.SPOT, Rows.time("01:18", "03:18"), NodeEnd.RELEASED));

    private static final UsageRows ROWS = new UsageRows(NODES, List.of(r1(), r2(), r3(), r4()));

    private static final ScenarioOptions TWO_COMMITTED = new ScenarioOptions(
            ScenarioOptions.DEFAULT.architecture(),
            Optional.empty(),
            Map.of(new ScenarioOptions.InstanceKind(TestBook.TYPE, "us-test-1"), 2),
            Map.of());

    private static ReplicaInterval r1() {
        ReplicaInterval row = Rows.replica("r1", "resize", "n1", Rows.time("00:00", "03:00"));
        ReplicaInterval sized = Rows.sized(row, Rows.quarters(1), Rows.eighths(1));
        ReplicaInterval started =
                sized.withStartPhases(Map.of("fetch", Duration.ofSeconds(60), "boot", Duration.ofSeconds(120)));
        return Rows.worked(started, new Work(7_080, 0, 0, 1_000_000, 8_496_000), ReplicaEnd.STOPPED);
    }

    private static ReplicaInterval r2() {
        ReplicaInterval row = Rows.replica("r2", "embed", "n2", Rows.time("00:30", "01:20"));
        ReplicaInterval sized = Rows.sized(row, Rows.quarters(2), Rows.quarters(1));
        ReplicaInterval started = sized.withStartPhases(Map.of("load", Duration.ofSeconds(120)));
        return Rows.worked(started, new Work(700, 20, 80, 1_000_000, 1_440_000), ReplicaEnd.INTERRUPTED);
    }

    private static ReplicaInterval r3() {
        ReplicaInterval row = Rows.replica("r3", "embed", "n3", Rows.time("01:18", "03:18"));
        ReplicaInterval sized = Rows.sized(row, Rows.quarters(2), Rows.quarters(2));
        ReplicaInterval started = sized.withStartPhases(Map.of("load", Duration.ofSeconds(60)));
        return Rows.worked(started, new Work(1_785, 0, 0, 2_000_000, 3_570_000), ReplicaEnd.STOPPED);
    }

    private static ReplicaInterval r4() {
        ReplicaInterval row = Rows.replica("r4", "resize", "n1", Rows.time("01:00", "01:00:30"));
        ReplicaInterval started = row.withStartPhases(Map.of("load", Duration.ofSeconds(10)));
        return Rows.worked(started, new Work(10, 0, 0, 0, 10_000), ReplicaEnd.STOPPED);
    }

    private static ScenarioResult priced(Scenario scenario) {
        return Scenarios.one(scenario, ROWS, PERIOD, new TestBook(), TWO_COMMITTED);
    }

    private static void assertTotal(ScenarioResult result, String exact, String cents) {
        assertThat(result.total()).isEqualByComparingTo(exact);
        assertThat(result.total().setScale(2, RoundingMode.HALF_UP)).isEqualTo(new BigDecimal(cents));
        assertThat(result.faults()).isEmpty();
        assertThat(result.unpriced()).isEmpty();
    }

    private static void assertPart(ScenarioResult result, CostPart part, String exact) {
        assertThat(result.of(part)).as(part.name()).isEqualByComparingTo(exact);
    }

    @Test
    void asItRanCostsWhatTheNodesCost() {
        ScenarioResult result = priced(Scenario.AS_IT_RAN);
        // n1: 3 h x 0.36 = 1.08
        // n2: free; it would have been 50/60 h x 0.12 = 0.10
        // n3: 0.7 h x 0.12 + 1.3 h x 0.18 = 0.084 + 0.234 = 0.318
        assertTotal(result, "1.398", "1.40");
        assertThat(result.credit()).isEqualByComparingTo("0.10");
    }

    @Test
    void asItRanIsSplitIntoUseIdleAndColdStart() {
        ScenarioResult result = priced(Scenario.AS_IT_RAN);
        // r1 has 1/4 of n1, 0.000025 a second:
        //   180 s of start                             0.0045
        //   10,620 s ready, 0.2655; busy 8,496/10,620 = 0.8, use 0.5
        //     use 0.5 x 0.2655                         0.13275
        //     over-provision (0.8 - 0.5) x 0.2655      0.07965
        //     idle (1 - 0.8) x 0.2655                  0.0531
        // r4 has 1/4 of n1: 10 s of start 0.00025; 20 s ready, 0.0005, busy half: use 0.00025, idle 0.00025
        // n1 without replicas: 1.08 - 0.27 - 0.00075 = 0.80925
        // n2 is free, so are all parts of r2.
        // r3 has 1/2 of n3, 0.159: 60 s of start 60/3600 x 0.12/2 = 0.001;
        //   ready 0.158, busy 3,570/7,140 = 0.5, use 1: use 0.079, idle 0.079
        // n3 without replicas: 0.318/2 = 0.159
        assertPart(result, CostPart.COLD_START, "0.00575"); // 0.0045 + 0.00025 + 0.001
        assertPart(result, CostPart.USE, "0.212"); // 0.13275 + 0.00025 + 0.079
        assertPart(result, CostPart.OVER_PROVISION, "0.07965");
        assertPart(result, CostPart.IDLE_WHILE_READY, "0.13235"); // 0.0531 + 0.00025 + 0.079
        assertPart(result, CostPart.INTERRUPTION, "0");
        assertPart(result, CostPart.NODE_IDLE, "0.96825"); // 0.80925 + 0.159
        assertPart(result, CostPart.OVERHEAD, "0");
    }

    @Test
    void allOnDemandPaysTheInterruptedNodeAsWell() {
        ScenarioResult result = priced(Scenario.ALL_ON_DEMAND);
        // n1: 3 h x 0.36 = 1.08; n2: 50/60 h x 0.36 = 0.30; n3: 2 h x 0.36 = 0.72
        assertTotal(result, "2.10", "2.10");
        // r2 has 1/2 of n2, 0.00005 a second. Ready 2,880 s = 0.144, busy 1,440/2,880 = 0.5, use 0.5:
        //   use 0.072, of which retried 80/(720 + 80) = 0.1 is lost: 0.0072
        //   idle 0.072, of which it ran 60 s (01:19-01:20) beside r3: 60 x 0.00005 x 0.5 = 0.0015
        assertPart(result, CostPart.INTERRUPTION, "0.0087"); // 0.0072 + 0.0015
    }

    @Test
    void allSpotAddsTheMeasuredShareOfInterruptionsToTheNodeThatRanOnDemand() {
        ScenarioResult result = priced(Scenario.ALL_SPOT);
        // Measured on n2 and n3, in seconds of a whole node: lost 2,880 x 1/2 x 0.5 x 0.1 = 72,
        // doubled 60 x 1/2 x 0.5 = 15; beside the other 3,000 + 7,200 - 87 s: 87/10,113 = 0.008603 (to 6 digits).
        assertThat(result.assumptions())
                .contains(new Assumption(Assumption.Kind.INTERRUPTION_SHARE_MEASURED, "", new BigDecimal("0.008603")));
        // n1: 2 h x 0.12 + 1 h x 0.18 = 0.42, x 1.008603 = 0.42361326; n2: free; n3: 0.318
        assertTotal(result, "0.74161326", "0.74");
        assertPart(result, CostPart.OVERHEAD, "0.00361326");
    }

    @Test
    void perUsePaysRequestsAndTheirMemoryTime() {
        ScenarioResult result = priced(Scenario.PER_USE);
        // resize: 1 CPU is 1,769 MB, 4 GiB is 4,096 MB: 4 GB. embed: 2 CPUs are 3,538 MB, 8 GiB is 8,192 MB: 8 GB.
        // GB-seconds: r1 8,496 s x 4 = 33,984; r4 10 x 4 = 40; r2 1,440 x 8 = 11,520; r3 3,570 x 8 = 28,560
        // INIT (boot and load): r1 120 x 4 = 480; r4 10 x 4 = 40; r2 120 x 8 = 960; r3 60 x 8 = 480; sum 1,960
        //   sum 76,064; 4,104 are free; 50,000 x 0.00002 = 1.00 up to 54,104; 21,960 x 0.00001 = 0.2196
        // Requests: 7,080 + 10 + 720 + 1,785 = 9,595; 1,595 are free; 8,000 x 0.000002 = 0.016
        assertTotal(result, "1.2356", "1.24");
        // 1,960 of the 76,064 GB-seconds: 1.2196 x 1,960/76,064 = 0.031426378 (to 9 digits)
        assertThat(result.of(CostPart.COLD_START).setScale(9, RoundingMode.HALF_UP))
                .isEqualByComparingTo("0.031426378");
        assertThat(result.assumptions())
                .contains(new Assumption(Assumption.Kind.LAMBDA_MEMORY, "shop/resize@1", new BigDecimal("4096")))
                .contains(new Assumption(Assumption.Kind.LAMBDA_ONE_INIT_PER_REPLICA, "", new BigDecimal("4")));
    }

    @Test
    void fargatePaysEachReplicaAsATask() {
        ScenarioResult result = priced(Scenario.FARGATE);
        // resize: 1 vCPU x 0.04 + 4 GB x 0.004 = 0.056 USD/h; embed: 2 x 0.04 + 8 x 0.004 = 0.112 USD/h
        // r1: 3 h x 0.056 = 0.168; r4: 30 s count as 60 s, 0.056/60 = 0.000933333333
        // r2: 50/60 h x 0.112 = 0.093333333333; r3: 2 h x 0.112 = 0.224
        assertTotal(result, "0.486266666666", "0.49");
        // Overhead is what r4 pays up to the minimum: 30 s x 0.056/3600, of which rounding may take the last digit
        assertThat(result.of(CostPart.OVERHEAD).setScale(9, RoundingMode.HALF_UP))
                .isEqualByComparingTo("0.000466667");
    }

    @Test
    void fargateSpotAddsTheMeasuredShareOfInterruptionsToTasksThatRanOnDemand() {
        ScenarioResult result = priced(Scenario.FARGATE_SPOT);
        // resize: 0.012 + 4 x 0.0012 = 0.0168 USD/h; embed: 0.024 + 8 x 0.0012 = 0.0336 USD/h
        // r1: 3 h x 0.0168 = 0.0504, x 1.008603 = 0.0508335912
        // r4: 60 s x 0.0168/3600 = 0.00028, x 1.008603 = 0.00028240884
        // r2: 50/60 h x 0.0336 = 0.028; r3: 2 h x 0.0336 = 0.0672
        assertTotal(result, "0.14631600004", "0.15");
    }

    @Test
    void aCommitmentOfOneYearIsOwedForTheWholePeriod() {
        ScenarioResult result = priced(Scenario.COMMITTED_1Y);
        // 2 instances x 4 h x 0.234 = 1.872
        // from 01:18 to 01:20 three nodes run, n3 is the latest: 120 s x 0.0001 = 0.012 on demand
        assertTotal(result, "1.884", "1.88");
        // Committed time in use: n1 180 min + n2 50 min + n3 118 min = 348 of 2 x 240 = 480 min; unused 132 min
        assertPart(result, CostPart.UNUSED_COMMITMENT, "0.5148"); // 132/60 h x 0.234
        // It pays above 0.234/0.36 = 0.65; 348/480 = 0.725
        assertBreakEven(result, "0.725", "0.65");
    }

    @Test
    void aCommitmentOfThreeYearsPaysEarlier() {
        ScenarioResult result = priced(Scenario.COMMITTED_3Y);
        // 2 x 4 h x 0.144 = 1.152, and 0.012 on demand
        assertTotal(result, "1.164", "1.16");
        assertBreakEven(result, "0.725", "0.4"); // 0.144/0.36
    }

    private static void assertBreakEven(ScenarioResult result, String utilisation, String breakEven) {
        ScenarioResult.BreakEven only = result.breakEvens().getFirst();
        assertThat(result.breakEvens()).hasSize(1);
        assertThat(only.instances()).isEqualTo(2);
        assertThat(only.utilisation()).isEqualByComparingTo(utilisation);
        assertThat(only.breakEven()).isEqualByComparingTo(breakEven);
    }

    @Test
    void withoutAStatedNumberAsManyAreCommittedAsRanAtOnce() {
        ScenarioResult result =
                Scenarios.one(Scenario.COMMITTED_1Y, ROWS, PERIOD, new TestBook(), ScenarioOptions.DEFAULT);
        // 3 instances x 4 h x 0.234
        assertTotal(result, "2.808", "2.81");
    }

    @Test
    void alwaysWarmPaysTheTimeWithoutReplicas() {
        ScenarioResult result = priced(Scenario.ALWAYS_WARM);
        // resize: none from 03:00 to 04:00, 1/4 of an instance on demand: 1 h x 0.36/4 = 0.09
        // embed: unknown before 00:30; none from 03:18 to 04:00, 1/2 of an instance on spot: 0.7 h x 0.18/2 = 0.063
        // and as it ran, 1.398
        assertTotal(result, "1.551", "1.55");
        assertPart(result, CostPart.KEPT_WARM, "0.153");
    }

    @Test
    void aStatedShareOfInterruptionsReplacesTheMeasuredOne() {
        ScenarioOptions stated = new ScenarioOptions(
                ScenarioOptions.DEFAULT.architecture(), Optional.of(new BigDecimal("0.05")), Map.of(), Map.of());
        ScenarioResult result = Scenarios.one(Scenario.ALL_SPOT, ROWS, PERIOD, new TestBook(), stated);
        // 0.42 x 1.05 + 0.318 = 0.441 + 0.318
        assertTotal(result, "0.759", "0.76");
    }

    @Test
    void unitsOfWorkHaveAPrice() {
        // 7,080 + 10 + 700 + 1,785 = 9,575 answered requests, 4,000,000 elements, 100 steps said
        Map<FunctionVersion, UsageSummary> summaries = UsageSummary.of(ROWS, PERIOD);
        Work all = summaries.values().stream().map(UsageSummary::work).reduce(Work.NONE, Work::plus);
        UnitFigures figures = UnitFigures.of(new BigDecimal("1.398"), all, OptionalLong.of(100));
        assertThat(figures.perThousandRequests().orElseThrow()).isEqualByComparingTo("0.146005221932");
        assertThat(figures.perMillionElements().orElseThrow()).isEqualByComparingTo("0.3495");
        assertThat(figures.perTrainingStep().orElseThrow()).isEqualByComparingTo("0.01398");
    }

    @Test
    void whatWasRequestedIsShownBesideWhatWasUsed() {
        UsageSummary resize = UsageSummary.of(ROWS, PERIOD).get(new FunctionVersion("shop", "resize", 1));
        // r1 10,800 s x 1 CPU + r4 30 s x 1 CPU; used 10,800 x 0.5 + 30 x 1
        assertThat(resize.requested().vcpu()).isEqualByComparingTo("10830");
        assertThat(resize.used().vcpu()).isEqualByComparingTo("5430");
    }

    @Test
    void everyScenarioListsThePricesThatItUsed() {
        for (ScenarioResult result : Scenarios.all(ROWS, PERIOD, new TestBook(), TWO_COMMITTED)) {
            assertThat(result.prices()).as(result.scenario().name()).isNotEmpty();
            assertThat(result.prices())
                    .allSatisfy(used ->
                            assertThat(used.price().provenance().source()).isEqualTo("TestBook"));
        }
    }
}
