package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.billing.Period;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeEnd;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConservationTest {
    private static final BigDecimal LAST_DIGIT = new BigDecimal("0.000000000001");

    private static ScenarioResult result() {
        UsageRows rows = new UsageRows(
                List.of(TestNodes.node(
                        "node-7", CapacityType.ON_DEMAND, Rows.time("00:00", "01:00"), NodeEnd.RELEASED)),
                List.of(Rows.replica("r", "f", "node-7", Rows.time("00:00", "00:17"))));
        return Scenarios.one(
                Scenario.AS_IT_RAN,
                rows,
                Period.past(Rows.at("00:00"), Rows.at("02:00")),
                new TestBook(),
                ScenarioOptions.DEFAULT);
    }

    private static ScenarioResult with(ScenarioResult result, BigDecimal total, List<NodeAllocation> nodes) {
        return new ScenarioResult(
                result.scenario(),
                total,
                result.split(),
                result.lines(),
                nodes,
                result.prices(),
                result.assumptions(),
                result.unpriced(),
                result.breakEvens(),
                result.credit(),
                result.freeTier(),
                result.faults());
    }

    @Test
    void whatAddsUpPasses() {
        assertThatCode(() -> Conservation.require(result())).doesNotThrowAnyException();
    }

    @Test
    void aNodeWhosePartsMissTheLastDigitIsNamedWithTheDifference() {
        ScenarioResult good = result();
        NodeAllocation node = good.nodes().getFirst();
        NodeAllocation wrong =
                new NodeAllocation(node.bill(), node.replicas(), node.idle().subtract(LAST_DIGIT), node.overhead());
        ScenarioResult bad = with(good, good.total(), List.of(wrong));
        assertThat(Conservation.check(bad)).singleElement().satisfies(difference -> {
            assertThat(difference.subject()).isEqualTo("node-7");
            assertThat(difference.usd()).isEqualByComparingTo(LAST_DIGIT.negate());
        });
        assertThatThrownBy(() -> Conservation.require(bad))
                .isInstanceOf(Conservation.NotConserved.class)
                .hasMessageContaining("node-7")
                .hasMessageContaining("-0.000000000001");
    }

    @Test
    void aTotalThatIsNotTheSumOfItsLinesIsFound() {
        ScenarioResult good = result();
        ScenarioResult bad = with(good, good.total().add(LAST_DIGIT), good.nodes());
        assertThat(Conservation.check(bad))
                .extracting(Conservation.Difference::subject)
                .containsExactly("total", "split");
    }
}
