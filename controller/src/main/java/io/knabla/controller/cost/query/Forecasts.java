package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.controller.cost.forecast.CostForecast;
import io.knabla.controller.cost.report.CostRow;
import io.knabla.controller.cost.scenario.CostPart;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.price.InstanceSizes;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Forecasts what a function will cost, on nodes like those that ran here, and compares later. */
@Singleton
public class Forecasts {
    private static final Set<Scenario> SHOWN =
            EnumSet.complementOf(EnumSet.of(Scenario.AS_IT_RAN, Scenario.ALWAYS_WARM));
    private static final int DAYS = 30;
    private static final int DIGITS = 9;
    private static final String ASSUMED = "assumed";
    private static final String ASSUMED_TYPE = "m7i.large";
    private static final String ASSUMED_GPU_TYPE = "g5.xlarge";

    private final UsagePricing pricing;
    private final Catalog catalog;
    private final Clock clock;

    Forecasts(UsagePricing pricing, Catalog catalog, Clock clock) {
        this.pricing = pricing;
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * A forecast as JSON.
     *
     * @param month whose prices and length count: the last whole one, in UTC
     * @param node instance type and zone of the nodes
     */
    @Schema(name = "Forecast")
    public record View(String month, int replicas, int nodes, String node, List<TerminalReport.Offer> offers) {}

    /**
     * Forecasts on nodes like the last one with a price that ran in the last 30 days, else on {@link #ASSUMED_TYPE}.
     *
     * @throws IllegalArgumentException if the load is too large, or a replica for such a node
     * @throws IOException if the ledger cannot be read
     */
    public View of(CostForecast.Load load) throws IOException {
        return priced(load).view();
    }

    /**
     * Forecasts like {@link #of}, and keeps the forecast in the function's record, in place of an earlier one. An equal
     * one keeps its time: who deploys every day has a forecast that is a week old, too.
     *
     * @throws IllegalArgumentException also if the function is deleted meanwhile
     */
    public View keep(FunctionId function, CostForecast.Load load) throws IOException {
        Priced priced = priced(load);
        LoadForecast fresh = new LoadForecast(clock.instant(), load.perSecond(), load.seconds(), priced.usdPerDay());
        catalog.update(function, current -> {
            FunctionRecord known =
                    current.orElseThrow(() -> new IllegalArgumentException(function + " was deleted meanwhile"));
            return known.forecast().filter(fresh::matches).isPresent() ? known : known.with(fresh);
        });
        return priced.view();
    }

    /** The forecasts of all functions, beside what their last 7 days were. */
    List<ForecastView> compared() throws IOException {
        Instant now = clock.instant();
        Instant from = now.minus(ForecastView.COMPARED);
        List<FunctionRecord> functions = catalog.list().stream()
                .filter(function -> function.forecast().isPresent())
                .toList();
        boolean any = functions.stream().anyMatch(function -> isOld(function, from));
        Map<String, CostRow> rows = any
                ? pricing.byFunction(Period.past(from, now)).stream()
                        .collect(Collectors.toMap(row -> row.group().name(), row -> row))
                : Map.of();
        return functions.stream()
                .map(function -> isOld(function, from)
                        ? ForecastView.compared(
                                function.id(),
                                function.forecast().orElseThrow(),
                                Optional.ofNullable(rows.get(function.id().toString())))
                        : ForecastView.tooEarly(
                                function.id(), function.forecast().orElseThrow()))
                .toList();
    }

    private static boolean isOld(FunctionRecord function, Instant from) {
        return !function.forecast().orElseThrow().at().isAfter(from);
    }

    private Priced priced(CostForecast.Load load) throws IOException {
        Instant now = clock.instant();
        Period month = lastMonth(now);
        Period lately = Period.past(now.atOffset(ZoneOffset.UTC).minusDays(DAYS).toInstant(), now);
        PriceBook book = pricing.book();
        NodeInterval node = pricing.read(lately).rows().nodes().stream()
                .filter(ran -> !load.replica().hasGpu() || ran.size().hasGpu())
                .filter(ran -> book.onDemand(ran.instanceType(), ran.region(), month.from())
                        .filter(price -> price.provenance().quality() != Provenance.Quality.ASSUMED)
                        .isPresent())
                .max(Comparator.comparing(ran -> ran.time().start()))
                .orElseGet(() -> assumed(!load.replica().hasGpu() ? ASSUMED_TYPE : ASSUMED_GPU_TYPE, month));
        return new Priced(node, CostForecast.of(load, node, month, book, ScenarioOptions.DEFAULT));
    }

    private static NodeInterval assumed(String type, Period month) {
        return new NodeInterval(
                ASSUMED,
                type,
                "",
                CapacityType.ON_DEMAND,
                type,
                "us-east-1",
                "use1-az1",
                InstanceSizes.of(type).orElseThrow(),
                Interval.of(month.from(), month.until()),
                NodeEnd.RUNNING);
    }

    private static Period lastMonth(Instant now) {
        OffsetDateTime first = now.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .withDayOfMonth(1)
                .atStartOfDay()
                .atOffset(ZoneOffset.UTC);
        return Period.past(first.minusMonths(1).toInstant(), first.toInstant());
    }

    private record Priced(NodeInterval node, CostForecast forecast) {
        /** What the function's replicas hold of the nodes; empty without a price. */
        Optional<BigDecimal> usdPerDay() {
            ScenarioResult onDemand = forecast.results().get(Scenario.ALL_ON_DEMAND.ordinal());
            BigDecimal days = BigDecimal.valueOf(
                    Duration.between(forecast.month().from(), forecast.month().until())
                            .toDays());
            BigDecimal usd =
                    onDemand.total().subtract(onDemand.of(CostPart.NODE_IDLE)).subtract(onDemand.of(CostPart.OVERHEAD));
            return onDemand.unpriced().isEmpty()
                    ? Optional.of(usd.divide(days, DIGITS, RoundingMode.HALF_EVEN))
                    : Optional.empty();
        }

        View view() {
            Period month = forecast.month();
            return new View(
                    month.from().toString().substring(0, "2026-11".length()),
                    forecast.replicas(),
                    forecast.nodes(),
                    node.instanceType() + " in " + node.zoneId()
                            + (node.id().equals(ASSUMED)
                                    ? ", assumed because no node with a price ran here lately"
                                    : ""),
                    forecast.results().stream()
                            .filter(result -> SHOWN.contains(result.scenario()))
                            .map(TerminalReport.Offer::of)
                            .toList());
        }
    }
}
