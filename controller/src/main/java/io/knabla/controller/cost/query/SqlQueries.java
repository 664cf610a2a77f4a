package io.knabla.controller.cost.query;

import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.UsageSql;
import io.knabla.controller.cost.ledger.parquet.UsageSql.Limits;
import io.knabla.controller.cost.price.PriceTable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Runs a user's SQL over the usage of a period, and over prices. */
@Singleton
public class SqlQueries {
    private final UsageReader reader;
    private final PlatformPrices prices;
    private final Path temporary;

    SqlQueries(UsageReader reader, PlatformPrices prices, LedgerSettings settings) {
        this.reader = reader;
        this.prices = prices;
        this.temporary = settings.temporaryFolder();
    }

    /**
     * What became of a query.
     *
     * @param damages number of parts of the ledger that could not be read
     */
    public record Queried(UsageSql.Outcome outcome, int damages) {}

    /** @throws IOException if the ledger cannot be read, or the tables do not fit into memory */
    public Queried run(String select, Period period) throws IOException {
        Usage usage = reader.rows(period.from(), period.until());
        Path folder = Files.createTempDirectory(temporary, "sql");
        try (UsageSql sql = UsageSql.open(usage.rows(), tables(select), folder, Limits.DEFAULT)) {
            return new Queried(sql.run(select), usage.damages().size());
        } finally {
            delete(folder);
        }
    }

    /** Prices are thousands of rows, so they are there only if the query has their table's name. */
    private List<UsageSql.Table> tables(String select) {
        return select.toLowerCase(Locale.ROOT).contains(PriceTable.NAME)
                ? List.of(new UsageSql.Table(
                        PriceTable.NAME,
                        PriceTable.COLUMNS,
                        prices.rows()
                                .flatMap(row -> PriceTable.line(row).stream())
                                .toList()))
                : List.of();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
