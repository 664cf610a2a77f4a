package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.stopped;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger that version 1 wrote, kept as files: a merged hour, and a segment with a late row for it and newer rows. */
class SchemaVersion1Test {
    private static final Usage EXPECTED = new Usage(
            List.of(
                    ended("a", FIVE, SIX, 2),
                    ended("b", FIVE, SEVEN, 1),
                    replica("r", FIVE, 9, 3),
                    replica("s", SIX, 1, 0),
                    requests("r", FIVE, 4, 1),
                    requests("s", SIX, 5, 0)),
            List.of());

    private static final Instant EIGHT = SEVEN.plus(Duration.ofHours(1));
    private static final Counters TOYS = new Counters(Map.of("toy_tokens", 42L));

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(SEVEN);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts;

    @BeforeEach
    void copyTheFiles() throws Exception {
        parts = new LedgerParts(store, clock, temp);
        Path folder = Path.of(getClass().getResource("v1").toURI());
        try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                copy(folder, file);
            }
        }
    }

    private Map<String, Long> sums(Function<Work, Long> count) throws IOException {
        return new UsageReader(store, parts.segments(), LedgerParts.DUCKDB, temp)
                .period(FIVE, EIGHT, EnumSet.allOf(RequestSum.By.class)).requests().stream()
                        .collect(Collectors.toMap(
                                sum -> sum instanceof RequestSum.OfQuarterHour quarter
                                        ? quarter.start().toString()
                                        : "version",
                                sum -> count.apply(sum.work())));
    }

    private void copy(Path folder, Path file) throws IOException {
        String key = folder.relativize(file).toString().replace('\\', '/');
        store.write(new ObjectKey(key), Content.of(file));
    }

    @Test
    void isRead() {
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }

    @Test
    void isMergedWithNewRows() {
        assertThat(parts.compact().hoursMerged()).isEqualTo(2);
        assertThat(parts.compact().segmentsDeleted()).isOne();
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }

    /** Its files lack the column, its lines the field. */
    @Test
    void isReadTogetherWithRowsThatHaveCounters() throws IOException {
        parts.append(requests("t", FIVE, 7, TOYS, 0), requests("t", SEVEN, 8, TOYS, 0));
        assertCounted();
        assertThat(parts.read().rows())
                .containsAll(EXPECTED.rows())
                .hasSize(EXPECTED.rows().size() + 2);
        clock.set(EIGHT);
        parts.compact();
        assertCounted();
    }

    /** Its files count whole GPUs in a column of integers. */
    @Test
    void isReadTogetherWithSharesOfAGpu() {
        UsageRecord quarter = TestRows.onGpu("q", FIVE, SIX, new BigDecimal("0.25"));
        parts.append(quarter);
        assertThat(parts.read().rows()).containsAll(EXPECTED.rows()).contains(quarter);
        clock.set(EIGHT);
        parts.compact();
        assertThat(parts.read().rows()).containsAll(EXPECTED.rows()).contains(quarter);
    }

    private void assertCounted() throws IOException {
        assertThat(sums(Work::succeeded))
                .isEqualTo(Map.of("version", 24L, FIVE.toString(), 11L, SIX.toString(), 5L, SEVEN.toString(), 8L));
        assertThat(sums(work -> work.counters().count("toy_tokens")))
                .isEqualTo(Map.of("version", 84L, FIVE.toString(), 42L, SIX.toString(), 0L, SEVEN.toString(), 42L));
    }

    /** A merged hour of it stays as it is while newer hours have the column. */
    @Test
    void itsFilesAreReadTogetherWithFilesThatHaveCounters() throws IOException {
        parts.keys("usage/wal/").forEach(key -> store.delete(new ObjectKey(key)));
        List<String> old = parts.keys("usage/requests/");
        parts.append(requests("t", SEVEN, 8, TOYS, 0), stopped("t", SEVEN, EIGHT, TOYS));
        clock.set(EIGHT);
        parts.compact();
        parts.compact();

        assertThat(parts.keys("usage/requests/")).containsAll(old).hasSize(old.size() + 1);
        assertThat(sums(work -> work.counters().count("toy_tokens")))
                .isEqualTo(Map.of("version", 42L, FIVE.toString(), 0L, SEVEN.toString(), 42L));
        assertThat(new UsageReader(store, parts.segments(), LedgerParts.DUCKDB, temp)
                        .period(FIVE, EIGHT, EnumSet.noneOf(RequestSum.By.class))
                        .replicas())
                .extracting(replica -> replica.work().counters())
                .containsExactly(Counters.NONE, TOYS);
    }

    /** What has no counters needs no newer program: while controllers are replaced, the older one merges it. */
    @Test
    void rowsWithoutCountersAreOfVersion1() throws Exception {
        String plain = new String(RowJson.encode(requests("r", FIVE, 4, 1)), StandardCharsets.UTF_8);
        String counting = new String(RowJson.encode(requests("r", FIVE, 4, TOYS, 1)), StandardCharsets.UTF_8);
        assertThat(plain).contains("\"v\":1,").doesNotContain("counters");
        assertThat(counting).contains("\"v\":2,").endsWith(",\"counters\":{\"toy_tokens\":42}}");
        assertThat(RowJson.decode(counting).row()).isEqualTo(requests("r", FIVE, 4, TOYS, 1));
    }
}
