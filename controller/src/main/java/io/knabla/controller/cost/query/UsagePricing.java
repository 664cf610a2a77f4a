package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.ledger.PeriodUsage;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.report.CostReport;
import io.knabla.controller.cost.report.CostReports;
import io.knabla.controller.cost.report.CostRow;
import io.knabla.controller.cost.report.CostTable;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.RequestSum;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the usage of a period and prices it. */
@Singleton
public class UsagePricing {
    private final UsageReader reader;
    private final PlatformPrices prices;

    UsagePricing(UsageReader reader, PlatformPrices prices) {
        this.reader = reader;
        this.prices = prices;
    }

    /** @param damages parts of the ledger that could not be read */
    record Read(UsageRows rows, List<LedgerDamage> damages) {}

    Read read(Period period) throws IOException {
        Usage usage = reader.rows(period.from(), period.until(), EnumSet.of(RecordKind.NODE, RecordKind.REPLICA));
        return new Read(new UsageRows(usage.nodes(), usage.replicas()), usage.damages());
    }

    /**
     * Prices usage under every scenario.
     *
     * @param lines whether the scenarios keep their lines, which only some formats need: there is one for every replica
     */
    CostAnswer answer(CostQuery query, boolean lines, List<BudgetStatus> budgets, List<ForecastView> forecasts)
            throws IOException {
        Period period = query.period();
        PeriodUsage usage = reader.period(period.from(), period.until(), sums(query.dimension()));
        UsageRows rows = new UsageRows(usage.nodes(), usage.replicas(), usage.requests());
        PlatformPrices.Known known = prices.known(query.prices());
        CostReport report = lines ? withLines(query, rows, known.book()) : summed(query, rows, known.book());
        return new CostAnswer(query, rows, usage.damages(), known.damages(), report, budgets, forecasts);
    }

    private static Set<RequestSum.By> sums(Dimension dimension) {
        return switch (dimension) {
            case FUNCTION, NAMESPACE, VERSION -> EnumSet.of(RequestSum.By.VERSION);
            case MONTH, DAY, HOUR -> EnumSet.of(RequestSum.By.QUARTER_HOUR);
            case POOL, CAPACITY, ZONE -> EnumSet.noneOf(RequestSum.By.class);
        };
    }

    private static CostReport withLines(CostQuery query, UsageRows rows, PriceBook book) {
        List<ScenarioResult> results = Scenarios.all(rows, query.period(), book, query.options());
        return new CostReport(
                CostTable.of(query.dimension(), query.zone(), query.main(), rows, query.period(), results), results);
    }

    private static CostReport summed(CostQuery query, UsageRows rows, PriceBook book) {
        CostReports.Question question = new CostReports.Question(
                query.period(),
                query.zone(),
                EnumSet.of(query.dimension()),
                query.main(),
                EnumSet.allOf(Scenario.class));
        return CostReports.of(question, rows, book, query.options()).get(query.dimension());
    }

    /** What each function cost, as it ran and on demand. */
    List<CostRow> byFunction(Period period) throws IOException {
        PeriodUsage usage = reader.period(period.from(), period.until(), EnumSet.of(RequestSum.By.VERSION));
        UsageRows rows = new UsageRows(usage.nodes(), usage.replicas(), usage.requests());
        CostReports.Question question = new CostReports.Question(
                period,
                ZoneOffset.UTC,
                EnumSet.of(Dimension.FUNCTION),
                Scenario.AS_IT_RAN,
                EnumSet.of(Scenario.ALL_ON_DEMAND));
        return CostReports.of(question, rows, book(), ScenarioOptions.DEFAULT)
                .get(Dimension.FUNCTION)
                .table()
                .rows();
    }

    /**
     * What each version cost in each hour of UTC, as it ran and on demand; see {@link CostReports#byVersionAndHour}.
     */
    List<CostRow> byVersionAndHour(Usage usage, Period period) {
        return CostReports.byVersionAndHour(new UsageRows(usage.nodes(), usage.replicas()), period, book());
    }

    ScenarioResult asItRan(Read read, Period period) {
        return Scenarios.one(Scenario.AS_IT_RAN, read.rows(), period, book(), ScenarioOptions.DEFAULT);
    }

    PriceBook book() {
        return prices.known(List.of()).book();
    }

    /** Finds the price of an hour of a node as it was bought; empty if it is not known. */
    public Function<NodeInterval, Optional<Price>> hourly(Instant at) {
        PriceBook book = book();
        Interval moment = Interval.of(at, at.plusNanos(1));
        return node -> switch (node.capacity()) {
            case ON_DEMAND -> book.onDemand(node.instanceType(), node.region(), at);
            case SPOT ->
                book.spot(node.instanceType(), node.region(), node.zoneId(), moment).stream()
                        .map(PriceBook.TimedPrice::perHour)
                        .findFirst();
        };
    }
}
