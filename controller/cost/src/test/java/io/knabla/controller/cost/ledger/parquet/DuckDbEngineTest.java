package io.knabla.controller.cost.ledger.parquet;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbEngineTest {
    @TempDir
    Path folder;

    private Path lines(UsageRecord... rows) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (UsageRecord row : rows) {
            lines.writeBytes(RowJson.encode(row));
            lines.write('\n');
        }
        return Files.write(folder.resolve("rows.jsonl"), lines.toByteArray());
    }

    private Path parquet(String select) throws Exception {
        Path file = folder.resolve("other.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (%s) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048)".formatted(select, file));
        }
        return file;
    }

    private List<UsageRecord> read(ParquetEngine engine, Path file) throws IOException {
        List<UsageRecord> rows = new ArrayList<>();
        engine.read(RecordKind.NODE, file, rows::add);
        return rows;
    }

    private ParquetEngine open() throws IOException {
        return ParquetEngine.duckDb("64MB", 1).open(folder);
    }

    /** As of a version before most of the columns. */
    @Test
    void columnsThatAnOlderFileLacksHaveTheirDefaults() throws Exception {
        Path old = parquet("SELECT 'old' AS id, 3::BIGINT AS revision, TIMESTAMP '2026-11-23 05:00:00' AS start_time");
        Resources none = new Resources(BigDecimal.ZERO, 0, 0);
        UsageRecord expected = new UsageRecord.Node(
                new NodeInterval(
                        "old",
                        "",
                        "",
                        CapacityType.ON_DEMAND,
                        "",
                        "",
                        "",
                        none,
                        new Interval(FIVE, Optional.empty()),
                        NodeEnd.RUNNING),
                3);
        try (ParquetEngine engine = open()) {
            assertThat(read(engine, old)).containsExactly(expected);
            Path target = folder.resolve("new.parquet");
            assertThat(engine.merge(RecordKind.NODE, lines(ended("z", FIVE, SIX, 0)), Optional.of(old), target))
                    .isEqualTo(new ParquetEngine.Merged(2, Optional.empty()));
            assertThat(read(engine, target)).containsExactly(expected, ended("z", FIVE, SIX, 0));
            for (List<Path> order : List.of(List.of(old, target), List.of(target, old))) {
                ParquetUsage usage = engine.read(Map.of(RecordKind.NODE, order), FIVE, SIX, Set.of());
                assertThat(usage.nodes()).extracting(NodeInterval::id).containsExactly("old", "old", "z");
                assertThat(usage.nodes().getFirst()).isEqualTo(((UsageRecord.Node) expected).interval());
                assertThat(usage.unreadable()).isEmpty();
            }
        }
    }

    /** Minutes of a version before counters, beside one that has them. */
    @Test
    void minutesWithoutCountersAreSummedAndMergedWithOthers() throws Exception {
        Path old = parquet("SELECT 1 AS v, 'r@m' AS id, 0::BIGINT AS revision, TIMESTAMP '2026-11-23 05:01:00' AS"
                + " start_time, 'default' AS namespace, 'classify' AS \"function\", 3 AS version, 'r' AS replica,"
                + " 4::BIGINT AS succeeded, 0::BIGINT AS failed, 0::BIGINT AS retried, 10::BIGINT AS elements,"
                + " 7::BIGINT AS busy_millis");
        Counters toys = new Counters(Map.of("toy_tokens", 42L));
        UsageRecord counting = requests("s", FIVE, 5, toys, 0);
        try (ParquetEngine engine = open()) {
            Path hour = folder.resolve("hour.parquet");
            engine.merge(RecordKind.REQUESTS, lines(counting), Optional.of(old), hour);
            Path sums = folder.resolve("sums.parquet");
            assertThat(engine.sum(hour, sums).rows()).isOne();
            Path oldSums = folder.resolve("old-sums.parquet");
            assertThat(engine.sum(old, oldSums).rows()).isOne();
            Path day = folder.resolve("day.parquet");
            engine.concatenate(RecordKind.REQUESTS, List.of(old, oldSums, sums), day);

            assertThat(sums(engine, day)).isEqualTo(new Work(17, 0, 0, 40, 28, toys));
            assertThat(sums(engine, old)).isEqualTo(new Work(4, 0, 0, 10, 7));
            assertThat(sums(engine, old, hour)).isEqualTo(new Work(13, 0, 0, 30, 21, toys));
        }
    }

    private static Work sums(ParquetEngine engine, Path... files) throws IOException {
        ParquetUsage usage =
                engine.read(Map.of(RecordKind.REQUESTS, List.of(files)), FIVE, SIX, Set.of(RequestSum.By.QUARTER_HOUR));
        assertThat(usage.unreadable()).isEmpty();
        return usage.requests().getFirst().work();
    }

    @Test
    void countersThatAreNoneMakeARowUnreadable() throws Exception {
        Path bad = parquet("SELECT 'chat' AS namespace, TIMESTAMP '2026-11-23 05:01:00' AS start_time,"
                + " 1::BIGINT AS succeeded, MAP {'Not a name': 3::BIGINT} AS counters");
        try (ParquetEngine engine = open()) {
            ParquetUsage usage =
                    engine.read(Map.of(RecordKind.REQUESTS, List.of(bad)), FIVE, SIX, Set.of(RequestSum.By.VERSION));
            assertThat(usage.requests()).isEmpty();
            assertThat(usage.unreadable()).singleElement().asString().contains("chat", "'Not a name' with 3");
        }
    }

    @Test
    void columnsOfANewerFileAreIgnored() throws Exception {
        Path newer = parquet(
                "SELECT 9 AS v, 'n' AS id, 0::BIGINT AS revision, TIMESTAMP '2026-11-23 05:00:00' AS start_time,"
                        + " {'grams': 1} AS carbon");
        try (ParquetEngine engine = open()) {
            assertThat(read(engine, newer)).extracting(UsageRecord::id).containsExactly("n");
            assertThat(engine.read(Map.of(RecordKind.NODE, List.of(newer)), FIVE, SIX, Set.of())
                            .nodes())
                    .extracting(NodeInterval::id)
                    .containsExactly("n");
        }
    }

    @Test
    void theLastEndIsKnownOnlyIfAllRowsEnded() throws Exception {
        try (ParquetEngine engine = open()) {
            Path target = folder.resolve("a.parquet");
            assertThat(engine.merge(
                            RecordKind.NODE,
                            lines(ended("a", FIVE, FIVE.plusNanos(1000), 0), ended("b", FIVE, SIX, 0)),
                            Optional.empty(),
                            target))
                    .isEqualTo(new ParquetEngine.Merged(2, Optional.of(SIX)));
            Path next = folder.resolve("b.parquet");
            assertThat(engine.merge(RecordKind.NODE, lines(running("b", FIVE, 1)), Optional.of(target), next))
                    .isEqualTo(new ParquetEngine.Merged(2, Optional.empty()));
        }
    }

    @Test
    void aFileOutsideOfItsFolderIsOutOfReach(@TempDir Path elsewhere) throws Exception {
        Path foreign = elsewhere.resolve("x.parquet");
        Files.copy(parquet("SELECT 'n' AS id"), foreign);
        try (ParquetEngine engine = open()) {
            assertThatThrownBy(() -> read(engine, foreign)).hasMessageContaining("disabled by configuration");
        }
    }

    /** A hundred groups of rows, of which some are destroyed: those before are given before the database notices. */
    @Test
    void rowsAreStreamedAndAFailureMidwayIsTold() throws Exception {
        Path file = parquet("SELECT 'node-' || i AS id, 0::BIGINT AS revision, TIMESTAMP '2026-11-23 05:00:00'"
                + " AS start_time FROM range(204800) AS rows(i)");
        destroyMiddle(file);
        List<UsageRecord> rows = new ArrayList<>();
        try (ParquetEngine engine = open()) {
            assertThatThrownBy(() -> engine.read(RecordKind.NODE, file, rows::add))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("of the 204800 rows");
        }
        assertThat(rows).hasSizeBetween(2048, 204_000);
    }

    /** Leaves the description of the file at its end. */
    private static void destroyMiddle(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int middle = bytes.length / 2;
        Arrays.fill(bytes, middle, middle + 2000, (byte) 0xFF);
        Files.write(file, bytes);
    }

    @Test
    void aFileOfTheFolderWithAnOddNameIsRefused() throws Exception {
        try (ParquetEngine engine = open()) {
            assertThatThrownBy(() -> read(engine, folder.resolve("it's.parquet")))
                    .hasMessageContaining("it's.parquet")
                    .hasMessageContaining("choose another");
        }
    }

    @Test
    void aFolderThatWouldBeAPatternIsRefused() throws Exception {
        Path odd = Files.createDirectory(folder.resolve("a[b]"));
        assertThatThrownBy(() -> ParquetEngine.duckDb("64MB", 1).open(odd))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("choose another temporary folder");
    }
}
