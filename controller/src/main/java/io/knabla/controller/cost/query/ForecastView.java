package io.knabla.controller.cost.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.cost.report.CostRow;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A function's forecast beside its last 7 days, as JSON.
 *
 * @param at when it was forecast
 * @param usdPerDay US dollars on demand, without idle capacity of nodes
 * @param error (actual - forecast) / forecast of them, to 4 digits
 * @param paidPerDay what these days cost as they ran, each
 * @param seconds of one request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ForecastView(
        String function,
        Instant at,
        State state,
        Figures usdPerDay,
        BigDecimal error,
        BigDecimal paidPerDay,
        Figures perSecond,
        Figures seconds) {
    /** A forecast is compared with the use of this time, as soon as it is so old itself. */
    static final Duration COMPARED = Duration.ofDays(7);

    private static final BigDecimal DAYS = BigDecimal.valueOf(COMPARED.toDays());
    private static final BigDecimal SECONDS = BigDecimal.valueOf(COMPARED.toSeconds());
    private static final int DIGITS = 9;

    /** Whether the costs could be compared. */
    public enum State {
        @JsonProperty("compared")
        COMPARED,
        /** The forecast is less than 7 days old. */
        @JsonProperty("too-early")
        TOO_EARLY,
        /** A price was unknown, when it was forecast or in these days. */
        @JsonProperty("no-price")
        NO_PRICE
    }

    /** @param actual null if it is not known */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Figures(BigDecimal forecast, BigDecimal actual) {}

    static ForecastView tooEarly(FunctionId function, LoadForecast forecast) {
        return new ForecastView(
                function.toString(),
                forecast.at(),
                State.TOO_EARLY,
                new Figures(forecast.usdPerDay().orElse(null), null),
                null,
                null,
                new Figures(forecast.perSecond(), null),
                new Figures(forecast.seconds(), null));
    }

    /** @param ran the function's row of the last 7 days; empty if it had no replica */
    static ForecastView compared(FunctionId function, LoadForecast forecast, Optional<CostRow> ran) {
        Work work = ran.map(row -> row.use().work()).orElse(Work.NONE);
        Optional<BigDecimal> onDemand =
                perDay(ran.map(row -> row.others().get(Scenario.ALL_ON_DEMAND)).orElse(Amount.ZERO));
        Optional<BigDecimal> error = forecast.usdPerDay()
                .filter(usd -> usd.signum() > 0)
                .flatMap(usd -> onDemand.map(actual -> actual.subtract(usd).divide(usd, 4, RoundingMode.HALF_EVEN)));
        return new ForecastView(
                function.toString(),
                forecast.at(),
                error.isPresent() ? State.COMPARED : State.NO_PRICE,
                new Figures(forecast.usdPerDay().orElse(null), onDemand.orElse(null)),
                error.orElse(null),
                perDay(ran.map(CostRow::cost).orElse(Amount.ZERO)).orElse(null),
                new Figures(forecast.perSecond(), quotient(work.requests(), SECONDS)),
                new Figures(forecast.seconds(), seconds(work)));
    }

    private static Optional<BigDecimal> perDay(Amount amount) {
        return amount.whole().map(usd -> usd.divide(DAYS, DIGITS, RoundingMode.HALF_EVEN));
    }

    private static BigDecimal seconds(Work work) {
        return work.requests() == 0 ? null : quotient(work.busyMillis(), BigDecimal.valueOf(1000 * work.requests()));
    }

    private static BigDecimal quotient(long dividend, BigDecimal divisor) {
        return BigDecimal.valueOf(dividend).divide(divisor, DIGITS, RoundingMode.HALF_EVEN);
    }
}
