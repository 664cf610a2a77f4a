package io.knabla.bench.cost;

import io.knabla.bench.machine.ProcessUsage;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.ledger.PeriodUsage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.report.CostReport;
import io.knabla.controller.cost.report.CostReports;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.RequestSum;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Main class of a child process that makes cost reports and, if asked, runs their SQL query alone after each, to
 * compare. Prints one line per round: seconds of the report, seconds of the query, and megabytes of the process's peak
 * memory until then.
 */
public final class ReportProbe {
    private static final String MEMORY = "128MB";
    private static final int THREADS = 2;
    private static final Set<Dimension> DIMENSIONS = EnumSet.of(Dimension.FUNCTION, Dimension.CAPACITY);

    private final UsageReader reader;
    private final Period period;
    private final PriceBook book;

    private ReportProbe(ObjectStore store, Path folder, int hours) {
        reader = new UsageReader(store, new GeneratedSegments.None(), ParquetEngine.duckDb(MEMORY, THREADS), folder);
        period = Period.past(UsageFleet.START, UsageFleet.START.plus(Duration.ofHours(hours)));
        book = UsagePrices.of(hours);
    }

    /** Arguments: folder of the ledger, its hours, rounds, {@code alone|paired}. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (ObjectStore store = FileObjectStore.openToRead(folder.resolve("store"))) {
            ReportProbe probe = new ReportProbe(
                    store, Files.createDirectories(folder.resolve("reading")), Integer.parseInt(arguments[1]));
            BareQuery bare = new BareQuery(store, MEMORY, THREADS);
            for (int round = Integer.parseInt(arguments[2]); round > 0; round--) {
                long start = System.nanoTime();
                probe.report();
                long begun = System.nanoTime();
                if (arguments[3].equals("paired")) {
                    bare.run();
                }
                double peak = ProcessUsage.of(ProcessHandle.current().pid()).peakRssMb();
                System.out.printf("%s %s %s%n", (begun - start) / 1e9, (System.nanoTime() - begun) / 1e9, peak);
            }
        }
    }

    private void report() throws IOException {
        PeriodUsage usage = reader.period(period.from(), period.until(), EnumSet.of(RequestSum.By.VERSION));
        if (!usage.damages().isEmpty()) {
            throw new IllegalStateException("the ledger is damaged: " + usage.damages());
        }
        Map<Dimension, CostReport> reports = CostReports.of(
                new CostReports.Question(
                        period, ZoneOffset.UTC, DIMENSIONS, Scenario.AS_IT_RAN, Set.of(Scenario.AS_IT_RAN)),
                new UsageRows(usage.nodes(), usage.replicas(), usage.requests()),
                book,
                ScenarioOptions.DEFAULT);
        if (reports.get(Dimension.FUNCTION).table().total().cost().whole().isEmpty()) {
            throw new IllegalStateException("a price is missing");
        }
    }
}
