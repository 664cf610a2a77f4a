package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.price.FargateRates;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules of single scenarios; amounts by hand, see {@link WorkedExampleTest} for the prices. */
class ScenarioRulesTest {
    private static final Period PERIOD = Period.past(Rows.at("00:00"), Rows.at("04:00"));

    private static ScenarioResult priced(Scenario scenario, List<NodeInterval> nodes, List<ReplicaInterval> replicas) {
        return Scenarios.one(scenario, new UsageRows(nodes, replicas), PERIOD, new TestBook(), ScenarioOptions.DEFAULT);
    }

    @Test
    void alwaysWarmKeepsOneReplicaOfAFunctionAndNotOneOfEachVersion() {
        NodeInterval node = TestNodes.node("n", CapacityType.ON_DEMAND, Rows.time("00:00", "04:00"), NodeEnd.RELEASED);
        List<ReplicaInterval> versions = new ArrayList<>();
        for (int version = 1; version <= 10; version++) {
            Instant start = Rows.at("01:00").plus(Duration.ofMinutes(12L * (version - 1)));
            Interval time = Interval.of(start, start.plus(Duration.ofMinutes(6)));
            versions.add(Rows.ofVersion(Rows.replica("r" + version, "f", "n", time), version));
        }
        // 10 versions of 6 min, with 6 min between them, from 01:00 to 02:54: 9 gaps of 6 min = 54 min, and 66 min
        // from 02:54 to 04:00; 120 min x 0.36/h x 1/4 of the node = 0.18. Before 01:00 there was no function.
        ScenarioResult result = priced(Scenario.ALWAYS_WARM, List.of(node), versions);
        assertThat(result.of(CostPart.KEPT_WARM)).isEqualByComparingTo("0.18");
        assertThat(result.assumptions())
                .filteredOn(assumption -> assumption.kind() == Assumption.Kind.KEPT_WARM_ON_SAME_NODE)
                .singleElement()
                .satisfies(kept -> {
                    assertThat(kept.subject()).isEqualTo("shop/f");
                    assertThat(kept.value()).isEqualByComparingTo("7200");
                });
    }

    @Test
    void versionsThatRunBesideEachOtherLeaveNoGap() {
        NodeInterval node = TestNodes.node("n", CapacityType.ON_DEMAND, Rows.time("00:00", "04:00"), NodeEnd.RELEASED);
        ReplicaInterval one = Rows.replica("r1", "f", "n", Rows.time("00:00", "02:10"));
        ReplicaInterval two = Rows.ofVersion(Rows.replica("r2", "f", "n", Rows.time("02:00", "04:00")), 2);
        assertThat(priced(Scenario.ALWAYS_WARM, List.of(node), List.of(one, two))
                        .of(CostPart.KEPT_WARM))
                .isEqualByComparingTo("0");
    }

    /** Half of a spot node's hour was lost, so the same work without losses needs twice the time on spot. */
    @Test
    void halfOfTheTimeLostDoublesTheCost() {
        // n ran on demand for 2 h; 2 h x 0.12 on spot = 0.24, and as much again
        // s: 1 h x 0.12 until 01:00, as it ran
        assertThat(allSpotWithLosses(new Work(10, 0, 10, 0, 3_600_000)).total()).isEqualByComparingTo("0.60");
        assertThat(allSpotWithLosses(new Work(10, 0, 10, 0, 3_600_000)).assumptions())
                .contains(new Assumption(Assumption.Kind.INTERRUPTION_SHARE_MEASURED, "", new BigDecimal("1.000000")));
    }

    @Test
    void ifAllOfTheTimeWasLostTheShareIsUnknown() {
        // 0.24 + 0.12, and nothing added
        ScenarioResult result = allSpotWithLosses(new Work(0, 0, 10, 0, 3_600_000));
        assertThat(result.total()).isEqualByComparingTo("0.36");
        assertThat(result.assumptions())
                .contains(new Assumption(Assumption.Kind.INTERRUPTION_SHARE_UNKNOWN, "", BigDecimal.ZERO));
    }

    private static ScenarioResult allSpotWithLosses(Work work) {
        NodeInterval onDemand =
                TestNodes.node("n", CapacityType.ON_DEMAND, Rows.time("00:00", "02:00"), NodeEnd.RELEASED);
        NodeInterval spot = TestNodes.node("s", CapacityType.SPOT, Rows.time("00:00", "01:00"), NodeEnd.INTERRUPTED);
        ReplicaInterval whole = Rows.sized(
                Rows.replica("r", "f", "s", Rows.time("00:00", "01:00")), Rows.quarters(4), Rows.quarters(4));
        return priced(
                Scenario.ALL_SPOT, List.of(onDemand, spot), List.of(Rows.worked(whole, work, ReplicaEnd.INTERRUPTED)));
    }

    @Test
    void fargatePaysTheRateOfThePeriodAndNotThatOfAReplicaThatStartedLongBefore() {
        Interval life = Interval.of(TestNodes.MIDNIGHT.minus(Duration.ofDays(8)), Rows.at("04:00"));
        NodeInterval node = TestNodes.node("n", CapacityType.ON_DEMAND, life, NodeEnd.RELEASED);
        PriceBook rises = new RowBook(List.of(
                fargate(Interval.of(life.start(), TestNodes.MIDNIGHT), "0.04", "0.004"),
                fargate(new Interval(TestNodes.MIDNIGHT, Optional.empty()), "0.08", "0.008")));
        ScenarioResult result = Scenarios.one(
                Scenario.FARGATE,
                new UsageRows(List.of(node), List.of(Rows.replica("r", "f", "n", life))),
                PERIOD,
                rises,
                ScenarioOptions.DEFAULT);
        // 4 h x (1 vCPU x 0.08 + 4 GB x 0.008) = 4 x 0.112
        assertThat(result.total()).isEqualByComparingTo("0.448");
        assertThat(result.prices())
                .extracting(UsedPrice::subject)
                .containsExactly("a vCPU-hour of Fargate us-test-1 x86_64", "a GB-hour of Fargate us-test-1 x86_64");
    }

    private static PriceRow fargate(Interval time, String perVcpuHour, String perGbHour) {
        return new PriceRow.Fargate(
                "us-test-1",
                Architecture.X86_64,
                time,
                new FargateRates.Rate(TestBook.usd(perVcpuHour), TestBook.usd(perGbHour)));
    }

    @Test
    void aNodeThatKeepsItsCommitmentHasOneChargeHoweverManyOthersComeAndGo() {
        List<NodeInterval> nodes = new ArrayList<>();
        nodes.add(TestNodes.node("old", CapacityType.ON_DEMAND, Rows.time("00:00", "04:00"), NodeEnd.RELEASED));
        for (int i = 1; i <= 20; i++) {
            Instant start = Rows.at("00:00").plus(Duration.ofMinutes(10L * i));
            nodes.add(TestNodes.node(
                    "n" + i,
                    CapacityType.ON_DEMAND,
                    Interval.of(start, start.plus(Duration.ofMinutes(10))),
                    NodeEnd.RELEASED));
        }
        ScenarioOptions one = new ScenarioOptions(
                ScenarioOptions.DEFAULT.architecture(),
                Optional.empty(),
                Map.of(new ScenarioOptions.InstanceKind(TestBook.TYPE, "us-test-1"), 1),
                Map.of());
        ScenarioResult result =
                Scenarios.one(Scenario.COMMITTED_1Y, new UsageRows(nodes, List.of()), PERIOD, new TestBook(), one);
        // 4 h x 0.234 committed = 0.936; 20 x 10 min on demand: 200/60 h x 0.36 = 1.20
        assertThat(result.total()).isEqualByComparingTo("2.136");
        assertThat(result.nodes())
                .allSatisfy(node -> assertThat(node.bill().charges()).hasSize(1));
    }
}
