package io.knabla.controller.cost.query;

import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.forecast.CostForecast;
import io.knabla.controller.cost.price.InstanceSizes;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.report.CostBars;
import io.knabla.controller.cost.report.CostNotes;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.usage.CapacityType;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeEnd;
import io.knabla.controller.cost.usage.NodeInterval;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Forecasts what a function will cost, on nodes like those that ran here. */
@Singleton
public class Forecasts {
    private static final Set<Scenario> SHOWN =
            EnumSet.complementOf(EnumSet.of(Scenario.AS_IT_RAN, Scenario.ALWAYS_WARM));
    private static final int DAYS = 30;
    private static final String ASSUMED = "assumed";
    private static final String ASSUMED_TYPE = "m7i.large";
    private static final String ASSUMED_GPU_TYPE = "g5.xlarge";

    private final UsagePricing pricing;
    private final Clock clock;

    Forecasts(UsagePricing pricing, Clock clock) {
        this.pricing = pricing;
        this.clock = clock;
    }

    /**
     * A forecast as JSON.
     *
     * @param month whose prices and length count: the last whole one, in UTC
     * @param node instance type and zone of the nodes
     */
    public record View(String month, int replicas, int nodes, String node, List<TerminalReport.Offer> offers) {}

    /**
     * Forecasts on nodes like the last one with a price that ran in the last 30 days, else on {@link #ASSUMED_TYPE}.
     *
     * @throws IllegalArgumentException if the load is too large, or a replica for such a node
     * @throws IOException if the ledger cannot be read
     */
    public View of(CostForecast.Load load) throws IOException {
        Instant now = clock.instant();
        Period month = lastMonth(now);
        Period lately = Period.past(now.atOffset(ZoneOffset.UTC).minusDays(DAYS).toInstant(), now);
        PriceBook book = pricing.book();
        NodeInterval node = pricing.read(lately).rows().nodes().stream()
                .filter(ran -> load.replica().gpus() == 0 || ran.size().gpus() > 0)
                .filter(ran -> book.onDemand(ran.instanceType(), ran.region(), month.from())
                        .isPresent())
                .max(Comparator.comparing(ran -> ran.time().start()))
                .orElseGet(() -> assumed(load.replica().gpus() == 0 ? ASSUMED_TYPE : ASSUMED_GPU_TYPE, month));
        return view(load, node, month, book);
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

    private View view(CostForecast.Load load, NodeInterval node, Period month, PriceBook book) {
        CostForecast forecast = CostForecast.of(load, node, month, book, ScenarioOptions.DEFAULT);
        return new View(
                month.from().toString().substring(0, "2026-11".length()),
                forecast.replicas(),
                forecast.nodes(),
                node.instanceType() + " in " + node.zoneId()
                        + (node.id().equals(ASSUMED) ? ", assumed because no node with a price ran here lately" : ""),
                forecast.results().stream()
                        .filter(result -> SHOWN.contains(result.scenario()))
                        .map(result -> new TerminalReport.Offer(
                                ConstantNames.of(result.scenario()), CostBars.total(result), CostNotes.of(result)))
                        .toList());
    }
}
