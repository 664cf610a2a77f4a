package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.controller.cost.query.ForecastView.State;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.cost.report.CostRow;
import io.knabla.controller.cost.report.Group;
import io.knabla.controller.cost.report.UsageTotals;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageSummary.ResourceSeconds;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A week has 604,800 seconds. */
class ForecastViewTest {
    private static final FunctionId RESIZE = new FunctionId("shop", "resize");
    private static final Instant AT = Instant.parse("2026-11-01T00:00:00Z");
    private static final ResourceSeconds NOTHING =
            new ResourceSeconds(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

    private static LoadForecast forecast(String usdPerDay) {
        return new LoadForecast(
                AT,
                BigDecimal.valueOf(2),
                new BigDecimal("0.05"),
                Optional.ofNullable(usdPerDay).map(BigDecimal::new));
    }

    /** 604,800 answered and 302,400 failed requests in 90,720,000 ms. */
    private static CostRow ran(Amount paid, Amount onDemand) {
        UsageTotals use =
                new UsageTotals(BigDecimal.ONE, NOTHING, NOTHING, new Work(604_800, 302_400, 0, 0, 90_720_000));
        return new CostRow(
                new Group("shop/resize", Optional.empty()),
                use,
                Map.of(),
                paid,
                Map.of(Scenario.ALL_ON_DEMAND, onDemand));
    }

    private static Amount usd(String usd) {
        return new Amount.Whole(new BigDecimal(usd));
    }

    /** 10.50 / 7 = 1.50 a day is 25 % less than 2; 907,200 requests are 1.5 a second, of 0.1 s. */
    @Test
    void comparesByHand() {
        ForecastView view = ForecastView.compared(RESIZE, forecast("2"), Optional.of(ran(usd("3.50"), usd("10.50"))));

        assertThat(view.function()).isEqualTo("shop/resize");
        assertThat(view.state()).isEqualTo(State.COMPARED);
        assertThat(view.usdPerDay().actual()).isEqualByComparingTo("1.5");
        assertThat(view.error()).isEqualByComparingTo("-0.25");
        assertThat(view.paidPerDay()).isEqualByComparingTo("0.5");
        assertThat(view.perSecond().actual()).isEqualByComparingTo("1.5");
        assertThat(view.seconds().actual()).isEqualByComparingTo("0.1");
    }

    @Test
    void aFunctionThatDidNotRunCostNothing() {
        ForecastView view = ForecastView.compared(RESIZE, forecast("2"), Optional.empty());

        assertThat(view.error()).isEqualByComparingTo("-1");
        assertThat(view.perSecond().actual()).isZero();
        assertThat(view.seconds().actual()).isNull();
    }

    @Test
    void whatHasNoPriceIsNotCompared() {
        CostRow priced = ran(usd("1"), usd("1"));
        CostRow part = ran(usd("1"), new Amount.Part(BigDecimal.ONE, Set.of(Unpriced.Reason.NO_ON_DEMAND_PRICE)));

        assertThat(ForecastView.compared(RESIZE, forecast(null), Optional.of(priced)))
                .returns(State.NO_PRICE, ForecastView::state)
                .returns(null, ForecastView::error);
        assertThat(ForecastView.compared(RESIZE, forecast("2"), Optional.of(part)))
                .returns(State.NO_PRICE, ForecastView::state)
                .extracting(view -> view.usdPerDay().actual())
                .isNull();
    }

    @Test
    void isJsonWithoutNulls() {
        ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());

        assertThat(mapper.valueToTree(ForecastView.tooEarly(RESIZE, forecast("2")))
                        .toString())
                .contains("\"state\":\"too-early\"", "\"usdPerDay\":{\"forecast\":2}")
                .doesNotContain("null");
    }
}
