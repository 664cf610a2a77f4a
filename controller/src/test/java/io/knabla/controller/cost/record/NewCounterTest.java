package io.knabla.controller.cost.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.PeriodUsage;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.controller.cost.ledger.sql.SqlLimits;
import io.knabla.controller.cost.ledger.sql.SqlRun;
import io.knabla.controller.cost.ledger.sql.SqlTable;
import io.knabla.controller.cost.report.CostJson;
import io.knabla.controller.cost.report.CostReports;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.local.usage.LocalUsage;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Resources;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.usage.ReplicaTotalsJson;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A counter that nothing of the controller knows, from the line of a replica to a query and a report. */
class NewCounterTest {
    private static final Instant START = Instant.parse("2026-11-23T09:10:00Z");
    private static final Instant NEXT_DAY = Instant.parse("2026-11-24T00:00:00Z");
    private static final ParquetEngine.Factory DUCKDB = ParquetEngine.duckDb("128MB", 1);
    private static final String LINE = """
            {"event":"usage","succeeded":%d,"failed":0,"elements":64,"busyMillis":35,"cpuMillis":120,"residentBytes":900,\
            "counters":{"toy_tokens":%d}}""";

    @TempDir
    Path folder;

    private volatile Instant now = START;
    private final InstantSource clock = () -> now;
    private final ObjectStore store = new MemoryObjectStore(clock);
    private final RecordedUsage recorded = RecordedUsage.of(List.of());
    private final AtomicInteger names = new AtomicInteger();
    private LocalUsage platform;
    private Segments segments;

    @BeforeEach
    void startAReplica() {
        List<Node> nodes = List.of(new Node("mine", Pool.cpu, CapacityType.OnDemand, "local", "local", 8));
        Resources machine = new Resources(new BigDecimal("2"), 8L << 30, 0);
        platform = LocalUsage.open(folder.resolve("run"), nodes, machine, clock, () -> {});
        segments = LocalSegments.open(folder.resolve("usage"), "w1", clock, 1 << 20);
        platform.starting(
                new ReplicaRequest(Specs.id("digits"), Specs.inference().version(1, START), "mine")
                        .workload("digits-v1-7"),
                START);
        platform.changed(replica(State.READY));
    }

    @AfterEach
    void close() {
        segments.close();
    }

    private static Replica replica(State state) {
        return new Replica(
                "digits-v1-7",
                Specs.id("digits"),
                1,
                Optional.empty(),
                "mine",
                state,
                Optional.empty(),
                "",
                Map.of(),
                START,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    private void reports(long requests, long tokens) {
        platform.reported(
                "digits-v1-7",
                ReplicaTotalsJson.read(LINE.formatted(requests, tokens)).orElseThrow());
        record();
    }

    private void record() {
        recorded.observe(platform, now);
        new Ledger(segments).append(recorded.pending());
        recorded.written(recorded.pending());
    }

    private void compact() throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        LedgerSettings settings = new LedgerSettings(temporary, Duration.ofDays(90), Duration.ofHours(2));
        Compactor compactor =
                new Compactor(store, segments, DUCKDB, settings, clock, () -> "t" + names.incrementAndGet());
        compactor.run();
        compactor.run();
    }

    private UsageReader reader() {
        return new UsageReader(store, segments, DUCKDB, folder);
    }

    private boolean isThere(String prefix) {
        try (var objects = store.list(prefix)) {
            return objects.findAny().isPresent();
        }
    }

    private void assertCounted(long tokens) throws IOException {
        Usage rows = reader().rows(START, NEXT_DAY);
        assertThat(rows.replicas())
                .extracting(one -> one.work().counters().count("toy_tokens"))
                .containsExactly(tokens);
        assertThat(sql(rows, "select sum(counters['toy_tokens']) as n from requests"))
                .isEqualTo("Answer[columns=[n], rows=[[%d]], cut=false]".formatted(tokens));
        for (Dimension dimension : List.of(Dimension.FUNCTION, Dimension.HOUR, Dimension.ZONE)) {
            assertThat(json(dimension))
                    .as(dimension.name())
                    .contains(",\"counters\":{\"toy_tokens\":%d},\"cost\":".formatted(tokens));
        }
    }

    private String sql(Usage rows, String query) throws IOException {
        Path own = Files.createDirectories(folder.resolve("sql"));
        try (SqlRun run = SqlRun.prepare(own, SqlLimits.DEFAULT, query, SqlTable.of(rows.rows()))) {
            return run.run(process -> {}).toString();
        }
    }

    private String json(Dimension dimension) throws IOException {
        PeriodUsage usage = reader().period(START, NEXT_DAY, EnumSet.allOf(RequestSum.By.class));
        List<RequestSum> sums = usage.requests().stream()
                .filter(sum -> switch (dimension) {
                    case HOUR -> sum instanceof RequestSum.OfQuarterHour;
                    case FUNCTION -> sum instanceof RequestSum.OfVersion;
                    default -> false;
                })
                .toList();
        CostReports.Question question = new CostReports.Question(
                Period.past(START, NEXT_DAY),
                ZoneOffset.UTC,
                EnumSet.of(dimension),
                Scenario.AS_IT_RAN,
                EnumSet.of(Scenario.ALL_ON_DEMAND));
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        CostJson.write(
                CostReports.of(
                                question,
                                new UsageRows(usage.nodes(), usage.replicas(), sums),
                                BundledPrices.book(),
                                ScenarioOptions.DEFAULT)
                        .get(dimension),
                json);
        return json.toString(StandardCharsets.UTF_8);
    }

    @Test
    void isRecordedSummedAndReported() throws IOException {
        now = START.plusSeconds(10);
        reports(1, 5);
        now = START.plusSeconds(70);
        reports(3, 42);
        now = START.plusSeconds(80);
        platform.changed(replica(State.STOPPED));
        record();
        try (Stream<Path> files = Files.walk(folder.resolve("usage"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .anySatisfy(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .contains("\"counters\":{\"toy_tokens\":42}", "\"counters\":{\"toy_tokens\":37}"));
        }
        assertCounted(42);

        platform.shutDown();
        now = now.plusSeconds(1);
        record();
        now = START.plus(Duration.ofHours(2));
        compact();
        assertThat(isThere("usage/requests/")).isTrue();
        assertCounted(42);

        now = NEXT_DAY.plus(Duration.ofHours(2));
        compact();
        assertThat(isThere("usage/days/")).isTrue();
        assertCounted(42);
    }
}
