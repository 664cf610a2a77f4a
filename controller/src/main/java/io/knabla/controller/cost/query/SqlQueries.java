package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.config.OomScore;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.sql.SqlLimits;
import io.knabla.controller.cost.ledger.sql.SqlOutcome;
import io.knabla.controller.cost.ledger.sql.SqlRun;
import io.knabla.controller.cost.ledger.sql.SqlTable;
import io.knabla.controller.cost.report.HourlyCosts;
import io.knabla.controller.price.PriceTable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs a user's SQL over the usage of a period, what it cost, and prices; each query in a process, and only a few at
 * once.
 */
@Singleton
public class SqlQueries {
    private static final int MOST_AT_ONCE = 2;

    private final UsageReader reader;
    private final PlatformPrices prices;
    private final UsagePricing pricing;
    private final CostService costs;
    private final LedgerSettings settings;
    private final Semaphore slots = new Semaphore(MOST_AT_ONCE);

    SqlQueries(
            UsageReader reader,
            PlatformPrices prices,
            UsagePricing pricing,
            CostService costs,
            LedgerSettings settings) {
        this.reader = reader;
        this.prices = prices;
        this.pricing = pricing;
        this.costs = costs;
        this.settings = settings;
    }

    /**
     * What became of a query.
     *
     * @param damages number of parts of the ledger that could not be read
     */
    public record Queried(SqlOutcome outcome, int damages) {}

    private record Prepared(SqlRun run, int damages) {}

    /**
     * Runs a query; returns empty at once if too many are running, or too many reports are being made.
     *
     * @throws IOException if the ledger cannot be read, or the query's process cannot be started
     */
    public Optional<Queried> tryRun(String select, Period period) throws IOException {
        if (!slots.tryAcquire()) {
            return Optional.empty();
        }
        try {
            // Only its tables take memory here, so a report need not wait for the query's end.
            Optional<Prepared> prepared = costs.tryRun(() -> prepare(select, period));
            return prepared.isEmpty() ? Optional.empty() : Optional.of(run(prepared.get()));
        } finally {
            slots.release();
        }
    }

    private Prepared prepare(String select, Period period) throws IOException {
        Usage usage = reader.rows(period.from(), period.until());
        List<SqlTable> tables = new ArrayList<>(SqlTable.of(usage.rows()));
        tables.add(SqlTable.ofTexts(
                PriceTable.NAME,
                PriceTable.COLUMNS,
                ifNamed(PriceTable.NAME, select, () -> prices.rows().flatMap(row -> PriceTable.line(row).stream()))));
        tables.add(SqlTable.ofTexts(
                HourlyCosts.NAME,
                HourlyCosts.COLUMNS,
                ifNamed(HourlyCosts.NAME, select, () -> HourlyCosts.lines(pricing.byVersionAndHour(usage, period)))));
        SqlRun run = SqlRun.prepare(settings.temporaryFolder(), SqlLimits.DEFAULT, select, tables);
        return new Prepared(run, usage.damages().size());
    }

    /** A table of thousands of rows, or that takes long to compute, is left empty for a query that lacks its name. */
    private static Stream<String> ifNamed(String table, String select, Supplier<Stream<String>> lines) {
        return select.toLowerCase(Locale.ROOT).contains(table) ? lines.get() : Stream.empty();
    }

    private static Queried run(Prepared prepared) throws IOException {
        try (SqlRun run = prepared.run()) {
            return new Queried(run.run(OomScore::raise), prepared.damages());
        }
    }
}
