package io.knabla.controller.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.DeclaredPrices;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads, merges and bills what platforms that have ended recorded. */
final class UsageOf {
    private static final Clock CLOCK = Clock.systemUTC();
    private static final ParquetEngine.Factory PARQUET = ParquetEngine.duckDb("256MB", 1);

    private UsageOf() {}

    static Usage home(Path folder) {
        return home(
                folder, Map.of("KNABLA_STORE", new Home(folder).store().toUri().toString()));
    }

    /** What a store holds, and what a home did not merge into it. */
    static Usage home(Path folder, Map<String, String> settings) {
        Home home = new Home(folder);
        try (ObjectStore store = open(settings);
                Segments segments = LocalSegments.open(home.usage(), "test", CLOCK, 1 << 20)) {
            return read(store, segments, home.run());
        }
    }

    /** What is merged into a store. */
    static Usage store(Map<String, String> settings, Path temporaryFolder) {
        try (ObjectStore store = open(settings);
                Segments none = new ObjectSegments(store, "test", CLOCK)) {
            return read(store, none, temporaryFolder);
        }
    }

    private static ObjectStore open(Map<String, String> settings) {
        return new StoreAccess(settings.get("KNABLA_STORE"), settings).open();
    }

    private static Usage read(ObjectStore store, Segments segments, Path temporaryFolder) {
        Instant now = CLOCK.instant();
        try {
            return new UsageReader(store, segments, PARQUET, temporaryFolder)
                    .rows(now.minus(Duration.ofDays(1)), now.plus(Duration.ofMinutes(1)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Merges the segments of a home into its store as in an hour from now, and deletes them; returns how many. */
    static int merge(Path folder, Map<String, String> settings) throws IOException {
        Home home = new Home(folder);
        Clock later = Clock.offset(CLOCK, Duration.ofHours(1));
        try (ObjectStore store = open(settings);
                Segments segments = LocalSegments.open(home.usage(), "test", later, 1 << 20)) {
            var limits = new LedgerSettings(home.run(), Duration.ofDays(30), Duration.ofHours(2));
            var compactor = new Compactor(
                    store,
                    segments,
                    PARQUET,
                    limits,
                    later,
                    () -> UUID.randomUUID().toString());
            compactor.run();
            return compactor.run().segmentsDeleted();
        }
    }

    /** Those rows that a home recorded: its runs are known by their files. */
    static Usage only(Path folder, Usage usage) {
        Set<String> runs = runs(folder);
        Set<String> nodes = usage.nodes().stream()
                .map(node -> node.id())
                .filter(id -> runs.contains(id.substring(id.lastIndexOf('@') + 1)))
                .collect(Collectors.toSet());
        Set<String> replicas = usage.replicas().stream()
                .filter(replica -> nodes.contains(replica.node()))
                .map(replica -> replica.id())
                .collect(Collectors.toSet());
        List<UsageRecord> rows = usage.rows().stream()
                .filter(row -> switch (row) {
                    case UsageRecord.Node node -> nodes.contains(node.id());
                    case UsageRecord.Replica replica -> replicas.contains(replica.id());
                    case UsageRecord.Requests requests ->
                        replicas.contains(requests.minute().replica());
                })
                .toList();
        return new Usage(rows, usage.damages());
    }

    private static Set<String> runs(Path folder) {
        try (Stream<Path> files = Files.list(new Home(folder).run().resolve("intervals/alive"))) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Work of the minutes of each replica. */
    static Map<String, Work> byReplica(Usage usage) {
        return usage.requests().stream()
                .collect(Collectors.groupingBy(
                        RequestMinute::replica, Collectors.reducing(Work.NONE, RequestMinute::work, Work::plus)));
    }

    /** Fails if a node's bill is not the sum of its parts. */
    static void costsAddUp(Usage usage) {
        List<DeclaredPrice> prices = Stream.of(
                        new DeclaredPrice.Instance("local", PriceRow.ANY, new BigDecimal("0.0421")),
                        new DeclaredPrice.SpotInstance("local", PriceRow.ANY, PriceRow.ANY, new BigDecimal("0.0137")))
                .map(DeclaredPrice::always)
                .toList();
        Instant from = usage.nodes().getFirst().time().start();
        ScenarioResult cost = Scenarios.one(
                Scenario.AS_IT_RAN,
                new UsageRows(usage.nodes(), usage.replicas()),
                Period.past(from, from.plus(Duration.ofDays(1))),
                new RowBook(DeclaredPrices.rows(prices, "this test", from)),
                ScenarioOptions.DEFAULT);
        assertThat(cost.faults()).isEmpty();
        assertThat(cost.unpriced()).isEmpty();
        assertThat(cost.total()).isPositive();
    }
}
