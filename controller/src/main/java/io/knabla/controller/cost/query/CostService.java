package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.ledger.duckdb.PlatformThreads;
import io.knabla.controller.cost.ledger.duckdb.PlatformThreads.Work;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.price.Price;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Answers cost queries. Only a few at once, because each holds its usage in memory. */
@Singleton
public class CostService {
    private static final int MOST_AT_ONCE = 2;

    private final UsagePricing pricing;
    private final Budgets budgets;
    private final Forecasts forecasts;
    private final Clock clock;
    private final Semaphore slots = new Semaphore(MOST_AT_ONCE);
    /** A report computes for seconds, and so would hold the carrier of its request's virtual thread. */
    private final PlatformThreads threads = new PlatformThreads("knabla-costs-", MOST_AT_ONCE);

    CostService(UsagePricing pricing, Budgets budgets, Forecasts forecasts, Clock clock) {
        this.pricing = pricing;
        this.budgets = budgets;
        this.forecasts = forecasts;
        this.clock = clock;
    }

    /** Runs the work of a report, its writing included; returns empty at once if too many are being made. */
    public <T> Optional<T> tryRun(Work<T> work) throws IOException {
        if (!slots.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(threads.run(work));
        } finally {
            slots.release();
        }
    }

    /**
     * @throws IOException if the ledger cannot be read
     * @throws io.knabla.storage.StorageException if the store fails
     */
    public CostAnswer answer(CostQuery query, CostFormat format) throws IOException {
        return pricing.answer(
                query,
                format.needsLines(),
                budgets.statuses(),
                format.showsForecasts() ? forecasts.compared() : List.of());
    }

    /**
     * What is paid at this moment, and since midnight.
     *
     * @param zone whose midnight is meant
     * @throws IOException if the ledger cannot be read
     */
    public CostNow now(ZoneId zone) throws IOException {
        Instant now = clock.instant();
        Instant midnight = now.atZone(zone).toLocalDate().atStartOfDay(zone).toInstant();
        Period today = new Period(midnight, now.isAfter(midnight) ? now : midnight.plusNanos(1000), now);
        UsagePricing.Read read = pricing.read(today);
        ScenarioResult result = pricing.asItRan(read, today);
        List<NodeInterval> running = read.rows().nodes().stream()
                .filter(node -> node.time().end().isEmpty())
                .toList();
        List<BudgetView> views = budgets.statuses().stream().map(BudgetView::of).toList();
        return new CostNow(running.size(), perHour(running, now), spent(result), views);
    }

    private Amount perHour(List<NodeInterval> nodes, Instant now) {
        BigDecimal sum = Dollars.ZERO;
        Set<Unpriced.Reason> missing = EnumSet.noneOf(Unpriced.Reason.class);
        Function<NodeInterval, Optional<Price>> prices = pricing.hourly(now);
        for (NodeInterval node : nodes) {
            Optional<Price> price = prices.apply(node);
            sum = sum.add(price.map(Price::usd).orElse(BigDecimal.ZERO));
            if (price.isEmpty()) {
                missing.add(
                        node.capacity() == CapacityType.SPOT
                                ? Unpriced.Reason.NO_SPOT_PRICE
                                : Unpriced.Reason.NO_ON_DEMAND_PRICE);
            }
        }
        return Amount.of(sum, missing);
    }

    private static Amount spent(ScenarioResult result) {
        Set<Unpriced.Reason> missing = EnumSet.noneOf(Unpriced.Reason.class);
        result.unpriced().forEach(unpriced -> missing.add(unpriced.reason()));
        return Amount.of(result.total(), missing);
    }
}
