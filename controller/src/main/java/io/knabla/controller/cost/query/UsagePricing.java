package io.knabla.controller.cost.query;

import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the usage of a period and prices it. */
@Singleton
public class UsagePricing {
    private final UsageReader reader;
    private final PriceBooks prices;

    UsagePricing(UsageReader reader, PriceBooks prices) {
        this.reader = reader;
        this.prices = prices;
    }

    /** @param damages parts of the ledger that could not be read */
    record Read(UsageRows rows, List<LedgerDamage> damages) {}

    Read read(Period period) throws IOException {
        Usage usage = reader.rows(period.from(), period.until(), EnumSet.of(Kind.NODE, Kind.REPLICA));
        return new Read(new UsageRows(usage.nodes(), usage.replicas()), usage.damages());
    }

    /** Prices usage under every scenario. */
    CostAnswer answer(CostQuery query, List<BudgetStatus> budgets) throws IOException {
        Read read = read(query.period());
        PriceBooks.Known known = prices.known(query.prices());
        List<ScenarioResult> results = Scenarios.all(read.rows(), query.period(), known.book(), query.options());
        return new CostAnswer(query, read.rows(), read.damages(), known.damages(), results, budgets);
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
