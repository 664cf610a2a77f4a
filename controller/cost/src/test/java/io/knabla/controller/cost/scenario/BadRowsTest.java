package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.price.PriceBook;
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
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BadRowsTest {
    private static final Period PERIOD = Period.past(Rows.at("00:00"), Rows.at("04:00"));
    private static final NodeInterval NODE =
            TestNodes.node("n", CapacityType.ON_DEMAND, Rows.time("00:00", "01:00"), NodeEnd.RELEASED);
    private static final ReplicaInterval GOOD = Rows.replica("r", "f", "n", Rows.time("00:00", "01:00"));

    private static ScenarioResult asItRan(List<NodeInterval> nodes, ReplicaInterval... replicas) {
        return priced(Scenario.AS_IT_RAN, ScenarioOptions.DEFAULT, nodes, replicas);
    }

    private static ScenarioResult priced(
            Scenario scenario, ScenarioOptions options, List<NodeInterval> nodes, ReplicaInterval... replicas) {
        return Scenarios.one(scenario, new UsageRows(nodes, List.of(replicas)), PERIOD, new TestBook(), options);
    }

    private static void assertFault(ScenarioResult result, Fault.Kind kind, String row) {
        assertThat(result.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.kind()).isEqualTo(kind);
            assertThat(fault.row()).isEqualTo(row);
        });
    }

    private static BigDecimal of(ScenarioResult result, String row) {
        return Dollars.sum(result.lines().stream()
                .filter(line -> line.row().equals(row))
                .map(CostLine::usd)
                .toList());
    }

    @Test
    void goodRowsHaveNoFaults() {
        assertThat(asItRan(List.of(NODE), GOOD).faults()).isEmpty();
    }

    @Test
    void replicasThatHoldMoreThanTheirNodeShareItInProportion() {
        ReplicaInterval three = Rows.sized(GOOD, Rows.quarters(3), Rows.quarters(3));
        ReplicaInterval other = Rows.replica("s", "f", "n", Rows.time("00:00", "01:00"));
        ReplicaInterval two = Rows.sized(other, Rows.quarters(2), Rows.quarters(2));
        ScenarioResult result = asItRan(List.of(NODE), three, two);
        assertFault(result, Fault.Kind.BEYOND_NODE_SIZE, "n");
        // 3/5 and 2/5 of 0.36
        assertThat(of(result, "r")).isEqualByComparingTo("0.216");
        assertThat(of(result, "s")).isEqualByComparingTo("0.144");
        assertThat(of(result, "n")).isEqualByComparingTo("0");
    }

    @Test
    void aReplicaOfAnUnknownNodeIsMarkedAndHasNoPriceElsewhere() {
        ReplicaInterval lost = Rows.replica("lost", "f", "gone", Rows.time("00:00", "01:00"));
        assertFault(asItRan(List.of(NODE), lost), Fault.Kind.UNKNOWN_NODE, "lost");
        for (Scenario scenario : List.of(Scenario.PER_USE, Scenario.FARGATE, Scenario.ALWAYS_WARM)) {
            assertThat(priced(scenario, ScenarioOptions.DEFAULT, List.of(NODE), lost)
                            .unpriced())
                    .as(scenario.name())
                    .extracting(Unpriced::reason, Unpriced::row)
                    .contains(org.assertj.core.groups.Tuple.tuple(Unpriced.Reason.UNKNOWN_REGION, "lost"));
        }
    }

    @Test
    void aReplicaThatOutlivesItsNodeIsCut() {
        ReplicaInterval late = Rows.replica("late", "f", "n", Rows.time("00:30", "02:00"));
        ScenarioResult result = asItRan(List.of(NODE), late);
        assertFault(result, Fault.Kind.OUTSIDE_OF_NODE, "late");
        // 1/4 of 30 min x 0.36
        assertThat(of(result, "late")).isEqualByComparingTo("0.045");
    }

    @Test
    void aReplicaWithoutAnyTimeOnItsNodeIsLeftOutAndMarked() {
        ReplicaInterval never = Rows.replica("never", "f", "n", Rows.time("02:00", "03:00"));
        ScenarioResult result = asItRan(List.of(NODE), never);
        assertFault(result, Fault.Kind.OUTSIDE_OF_NODE, "never");
        assertThat(result.total()).isEqualByComparingTo("0.36");
    }

    @Test
    void rowsWithOneIdCountOnce() {
        ScenarioResult result = asItRan(List.of(NODE, NODE), GOOD);
        assertFault(result, Fault.Kind.DUPLICATE_ROW, "n");
        assertThat(result.total()).isEqualByComparingTo("0.36");
    }

    @Test
    void aNegativeStartPhaseCountsAsZero() {
        ReplicaInterval negative =
                GOOD.withStartPhases(Map.of("boot", Duration.ofSeconds(-5), "load", Duration.ofSeconds(36)));
        ScenarioResult result = asItRan(List.of(NODE), negative);
        assertFault(result, Fault.Kind.NEGATIVE_DURATION, "r");
        // 1/4 of 36 s x 0.0001
        assertThat(result.of(CostPart.COLD_START)).isEqualByComparingTo("0.0009");
    }

    @Test
    void negativeCountsOfWorkAreLeftOut() {
        ReplicaInterval negative = Rows.worked(GOOD, new Work(5, 0, 0, 0, -1), ReplicaEnd.STOPPED);
        ScenarioResult result = asItRan(List.of(NODE), negative);
        assertFault(result, Fault.Kind.NEGATIVE_WORK, "r");
        assertThat(result.of(CostPart.IDLE_WHILE_READY)).isEqualByComparingTo("0.09");
    }

    @Test
    void aNodeWithoutResourcesIsIdle() {
        NodeInterval empty = new NodeInterval(
                "n",
                "n",
                "cpu",
                NODE.capacity(),
                NODE.instanceType(),
                NODE.region(),
                NODE.zoneId(),
                Resources.NONE,
                NODE.time(),
                NODE.end());
        ScenarioResult result = asItRan(List.of(empty));
        assertFault(result, Fault.Kind.NODE_WITHOUT_SIZE, "n");
        assertThat(result.of(CostPart.NODE_IDLE)).isEqualByComparingTo("0.36");
    }

    @Test
    void aNodeWithoutAPriceIsNamedAndNotInTheSum() {
        NodeInterval own = TestNodes.node(
                "own", "my-machine", CapacityType.ON_DEMAND, Rows.time("00:00", "01:00"), NodeEnd.RELEASED);
        Map<Scenario, Unpriced.Reason> reasons = Map.of(
                Scenario.AS_IT_RAN, Unpriced.Reason.NO_ON_DEMAND_PRICE,
                Scenario.ALL_SPOT, Unpriced.Reason.NO_SPOT_PRICE,
                Scenario.COMMITTED_1Y, Unpriced.Reason.NO_COMMITTED_PRICE);
        reasons.forEach((scenario, reason) -> {
            ScenarioResult result = priced(scenario, ScenarioOptions.DEFAULT, List.of(own));
            assertThat(result.total()).isEqualByComparingTo("0");
            assertThat(result.unpriced())
                    .containsExactly(
                            new Unpriced(reason, "own", "my-machine us-test-1 ust1-az1", Rows.time("00:00", "01:00")));
        });
    }

    @Test
    void theMinimumOfANodeThatTookNoTimeIsNamedIfItHasNoPrice() {
        NodeInterval none =
                TestNodes.node("own", "my-machine", CapacityType.SPOT, Rows.time("01:00", "01:00"), NodeEnd.RELEASED);
        Map<Scenario, Unpriced.Reason> reasons = Map.of(
                Scenario.AS_IT_RAN, Unpriced.Reason.NO_SPOT_PRICE,
                Scenario.ALL_ON_DEMAND, Unpriced.Reason.NO_ON_DEMAND_PRICE,
                Scenario.COMMITTED_1Y, Unpriced.Reason.NO_COMMITTED_PRICE);
        reasons.forEach((scenario, reason) -> assertThat(
                        priced(scenario, ScenarioOptions.DEFAULT, List.of(none)).unpriced())
                .containsExactly(
                        new Unpriced(reason, "own", "my-machine us-test-1 ust1-az1", Rows.time("00:59:59", "01:00"))));
    }

    @Test
    void aGpuHasAServerlessPriceOnlyIfOneIsDeclared() {
        Resources gpu = new Resources(BigDecimal.ONE, 1L << 30, 1);
        ReplicaInterval worked =
                Rows.worked(Rows.sized(GOOD, gpu, gpu), new Work(10, 0, 0, 0, 1_800_000), ReplicaEnd.STOPPED);
        ScenarioResult without = priced(Scenario.PER_USE, ScenarioOptions.DEFAULT, List.of(NODE), worked);
        assertThat(without.unpriced())
                .extracting(Unpriced::reason)
                .containsExactly(Unpriced.Reason.NO_SERVERLESS_GPU_RATE);
        assertThat(without.total()).isEqualByComparingTo("0");
        // The cheaper of the two: 1,800 s of requests x 0.001
        PriceBook declared = new RowBook(List.of(gpu("l4", "0.001"), gpu("h100", "0.003")));
        ScenarioResult serverless = Scenarios.one(
                Scenario.PER_USE,
                new UsageRows(List.of(NODE), List.of(worked)),
                PERIOD,
                declared,
                ScenarioOptions.DEFAULT);
        assertThat(serverless.total()).isEqualByComparingTo("1.80");
        assertThat(serverless.prices())
                .containsExactly(new UsedPrice("a second of the serverless GPU l4", TestBook.usd("0.001")));
        assertThat(serverless.assumptions())
                .contains(new Assumption(Assumption.Kind.SERVERLESS_GPU_CHEAPEST, "l4", BigDecimal.TWO));
        assertThat(priced(Scenario.FARGATE, ScenarioOptions.DEFAULT, List.of(NODE), worked)
                        .unpriced())
                .extracting(Unpriced::reason)
                .containsExactly(Unpriced.Reason.GPU_NOT_OFFERED);
    }

    private static PriceRow gpu(String offer, String perSecond) {
        return new PriceRow.ServerlessGpu(
                offer, new Interval(TestNodes.MIDNIGHT, Optional.empty()), TestBook.usd(perSecond));
    }

    @Test
    void useThatWasNotMeasuredCountsAsAllOfTheReservationAndIsStated() {
        ReplicaInterval unmeasured = Rows.worked(
                Rows.sized(GOOD, Rows.quarters(1), Resources.NONE),
                new Work(1, 0, 0, 0, 1_800_000),
                ReplicaEnd.STOPPED);
        ScenarioResult result = asItRan(List.of(NODE), unmeasured);
        // half of 0.09
        assertThat(result.of(CostPart.USE)).isEqualByComparingTo("0.045");
        assertThat(result.of(CostPart.OVER_PROVISION)).isEqualByComparingTo("0");
        assertThat(result.assumptions()).contains(new Assumption(Assumption.Kind.USE_NOT_MEASURED, "", BigDecimal.ONE));
    }

    @Test
    void aPeriodMustEndAfterItBegins() {
        assertThatThrownBy(() -> Period.past(Rows.at("01:00"), Rows.at("01:00")))
                .hasMessageContaining("must end after it begins");
    }
}
