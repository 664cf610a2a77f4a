package io.knabla.controller.cost.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** June has 720 hours, 2,592,000 seconds. */
class CostForecastTest {
    private static final Instant JUNE = Instant.parse("2026-06-01T00:00:00Z");
    private static final Period MONTH = Period.past(JUNE, Instant.parse("2026-07-01T00:00:00Z"));
    private static final Resources HALF = new Resources(BigDecimal.TWO, 4L << 30, 0);

    private static NodeInterval node() {
        return new NodeInterval(
                "n",
                "n",
                "cpu",
                CapacityType.SPOT,
                TestBook.TYPE,
                "us-test-1",
                "ust1-az1",
                new Resources(BigDecimal.valueOf(4), 16L << 30, 0),
                Interval.of(JUNE, JUNE),
                NodeEnd.RELEASED);
    }

    private static CostForecast forecast(String perSecond, String seconds, Resources replica) {
        CostForecast.Load load = new CostForecast.Load(new BigDecimal(perSecond), new BigDecimal(seconds), replica);
        return CostForecast.of(load, node(), MONTH, new TestBook(), ScenarioOptions.DEFAULT);
    }

    private static BigDecimal total(CostForecast forecast, Scenario scenario) {
        return forecast.results().get(scenario.ordinal()).total();
    }

    /**
     * 20/s x 0.05 s is 1 request at once, / 0.7 makes 2 replicas on 1 node.
     *
     * <pre>
     * on demand  720 h x 0.36 = 259.20        spot  720 h x 0.18 = 129.60
     * Lambda     51,840,000 requests of 50 ms and 4 GB are 10,368,000 GB-s:
     *            50,000 x 0.00002 + 10,313,896 x 0.00001 = 104.13896
     *            (51,840,000 - 1,595) x 0.000002 = 103.67681        sum 207.81577
     * </pre>
     */
    @Test
    void pricesALoadByHand() {
        CostForecast forecast = forecast("20", "0.05", HALF);

        assertThat(forecast.replicas()).isEqualTo(2);
        assertThat(forecast.nodes()).isEqualTo(1);
        assertThat(total(forecast, Scenario.ALL_ON_DEMAND)).isEqualByComparingTo("259.20");
        assertThat(total(forecast, Scenario.ALL_SPOT)).isEqualByComparingTo("129.60");
        assertThat(total(forecast, Scenario.PER_USE)).isEqualByComparingTo("207.81577");
    }

    @Test
    void aSmallLoadStillNeedsOneReplica() {
        assertThat(forecast("0.000001", "0.001", HALF).replicas()).isEqualTo(1);
        assertThat(forecast("100", "0.07", HALF).nodes()).isEqualTo(5);
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> forecast("1", "1", new Resources(BigDecimal.valueOf(5), 1, 0)))
                .withMessageContaining("choose a larger node");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> forecast("1", "1", new Resources(BigDecimal.ONE, 1, 1)))
                .withMessageContaining("test.xlarge has");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> forecast("1000000", "1", HALF))
                .withMessageContaining("1428572 replicas");
    }
}
