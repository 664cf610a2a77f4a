package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LocalFolder;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compaction and reading by one controller. */
class CompactionTest {
    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE.plusSeconds(60));
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    @Test
    void rowsAreTheSameBeforeAndAfterCompaction() {
        UsageRecord[] rows = {ended("a", FIVE, SIX, 4), replica("r", FIVE, 7, 2), requests("r", FIVE, 3, 0)};
        parts().append(rows);
        assertThat(parts().read()).isEqualTo(new Usage(List.of(rows), List.of()));

        clock.set(SIX);
        assertThat(parts().compact()).isEqualTo(new Compaction(1, 0, List.of()));
        assertThat(parts().compact()).isEqualTo(new Compaction(0, 1, List.of()));

        assertThat(parts().keys("usage/wal/")).isEmpty();
        assertThat(parts().keys("usage/nodes/")).singleElement().asString().startsWith("usage/nodes/2026/11/23/05-");
        assertThat(parts().read()).isEqualTo(new Usage(List.of(rows), List.of()));
    }

    @Test
    void theSameHoldsForFilesAndAFolderOfSegments() {
        try (FileObjectStore files = FileObjectStore.open(temp.resolve("store"));
                LocalSegments local = LocalSegments.open(temp.resolve("wal"), "w1", clock, 1 << 20)) {
            LedgerParts parts = parts().over(files);
            UsageRecord[] rows = {ended("a", FIVE, SIX, 4), replica("r", FIVE, 7, 2), requests("r", FIVE, 3, 0)};
            new Ledger(local).append(List.of(rows));
            assertThat(parts.read(local).rows()).containsExactly(rows);

            clock.set(SIX);
            parts.compact(local);
            assertThat(parts.compact(local).segmentsDeleted()).isOne();
            assertThat(new LocalFolder(temp.resolve("wal")).list().names()).isEmpty();
            assertThat(parts.read(local)).isEqualTo(new Usage(List.of(rows), List.of()));
        }
    }

    @Test
    void anHourThatRunsIsNotMerged() {
        parts().append(running("a", FIVE, 0));
        clock.set(SIX.minusNanos(1));
        assertThat(parts().compact().hoursMerged()).isZero();
        assertThat(parts().read().rows()).containsExactly(running("a", FIVE, 0));
    }

    @Test
    void theHighestRevisionCountsInAnyOrder() {
        List<UsageRecord> told = List.of(running("a", FIVE, 0), running("a", FIVE, 1), ended("a", FIVE, SIX, 2));
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}}) {
            ObjectStore fresh = new MemoryObjectStore(clock);
            LedgerParts parts = parts().over(fresh);
            clock.set(FIVE);
            for (int next : order) {
                parts.append(told.get(next));
                assertThat(parts.read().rows()).hasSize(1);
                clock.set(clock.instant().plus(Duration.ofHours(1)));
                parts.compact();
            }
            assertThat(parts.read().rows()).containsExactly(told.get(2));
        }
    }

    @Test
    void aRowThatComesLateIsMergedWithItsHour() {
        parts().append(running("a", FIVE, 0), requests("r", FIVE, 1, 0));
        clock.set(SIX);
        parts().compact();
        parts().append(ended("a", FIVE, SIX.plusSeconds(1), 1), ended("b", FIVE, SIX, 0), running("c", SIX, 0));
        clock.set(SEVEN);
        assertThat(parts().compact()).isEqualTo(new Compaction(2, 1, List.of()));
        assertThat(parts().compact().segmentsDeleted()).isOne();

        assertThat(parts().keys("usage/wal/")).isEmpty();
        assertThat(parts().read().rows())
                .containsExactly(
                        ended("a", FIVE, SIX.plusSeconds(1), 1),
                        ended("b", FIVE, SIX, 0),
                        running("c", SIX, 0),
                        requests("r", FIVE, 1, 0));
    }

    @Test
    void anIntervalIsReadInEveryTimeThatItOverlaps() throws Exception {
        parts().append(ended("a", FIVE, SIX, 0), running("b", FIVE, 0), ended("empty", SIX, SIX, 0));
        clock.set(SIX);
        parts().compact();
        parts().compact();
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        assertThat(reader.rows(SIX, SEVEN).rows()).extracting(UsageRecord::id).containsExactly("b", "empty");
        assertThat(reader.rows(SIX.minusNanos(1), SIX).rows())
                .extracting(UsageRecord::id)
                .containsExactly("a", "b", "empty");
        assertThat(reader.rows(FIVE.minusSeconds(9), FIVE).rows()).isEmpty();
    }

    /** An end belongs to the period until it, so the bill of that period needs the row. */
    @Test
    void anEmptyIntervalAtTheEndOfAPeriodIsReadFromFilesAndSegments() throws Exception {
        UsageRecord empty = ended("empty", SIX, SIX, 0);
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        parts().append(empty, ended("next", SIX, SEVEN, 0), requests("r", SIX, 1, 0));
        assertThat(reader.rows(FIVE, SIX).rows()).containsExactly(empty);
        clock.set(SEVEN);
        parts().compact();
        parts().compact();
        assertThat(parts().keys("usage/wal/")).isEmpty();
        assertThat(reader.rows(FIVE, SIX).rows()).containsExactly(empty);
    }

    @Test
    void aTemporaryFolderBehindALinkWithAnOddNameIsUsed() throws Exception {
        Path real = Files.createDirectory(temp.resolve("real"));
        Path link = Files.createSymbolicLink(temp.resolve("it's"), real);
        LedgerParts linked = new LedgerParts(store, clock, link);
        linked.append(ended("a", FIVE, SIX, 0));
        clock.set(SIX);
        assertThat(linked.compact().hoursMerged()).isOne();
        linked.append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN);
        linked.compact();
        assertThat(linked.read().rows()).extracting(UsageRecord::id).containsExactly("a", "b");
        assertThat(linked.read().damages()).isEmpty();
    }

    /** The file holds the end; it lies before the time asked for, which alone would be a reason to skip the file. */
    @Test
    void anOldRevisionInASegmentDoesNotReviveAnEndedInterval() throws Exception {
        parts().append(ended("a", FIVE, FIVE.plusSeconds(9), 5));
        clock.set(SIX);
        parts().compact();
        parts().append(running("a", FIVE, 4));
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        assertThat(reader.rows(SIX, SEVEN).rows()).isEmpty();
    }

    @Test
    void onlyTheWantedKindsAreRead() throws Exception {
        UsageRecord[] rows = {ended("a", FIVE, SIX, 0), replica("r", FIVE, 7, 2), requests("r", FIVE, 1, 0)};
        parts().append(rows);
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        Set<RecordKind> wanted = Set.of(RecordKind.NODE, RecordKind.REPLICA);
        assertThat(reader.rows(FIVE, SIX, wanted).rows()).containsExactly(rows[0], rows[1]);
        clock.set(SIX);
        parts().compact();
        parts().compact();
        store.delete(new ObjectKey(parts().keys("usage/requests/").getFirst()));
        assertThat(reader.rows(FIVE, SIX, wanted)).isEqualTo(new Usage(List.of(rows[0], rows[1]), List.of()));
    }

    /** More hours than are read at once. */
    @Test
    void manyHoursAreReadAndAnOutageIsTold() throws Exception {
        int hours = 20;
        for (int hour = 0; hour < hours; hour++) {
            parts().append(ended("n" + hour, FIVE.minus(Duration.ofHours(hour)), SIX, 0));
        }
        clock.set(SIX);
        parts().compact();
        parts().compact();
        assertThat(parts().keys("usage/wal/")).isEmpty();
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        assertThat(reader.rows(FIVE, SIX).rows()).hasSize(hours);
        Runnable outage = () -> {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "out", "");
        };
        ObjectStore faulty = new InterposedStore(store, 15, outage, () -> {});
        assertThatThrownBy(() -> parts().over(faulty).read()).isInstanceOf(StorageException.class);
    }

    @Test
    void aTimeThatEndsBeforeItStartsIsRefused() {
        UsageReader reader = new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
        assertThatThrownBy(() -> reader.rows(SIX, SIX)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noTemporaryFileStays() throws Exception {
        parts().append(ended("a", FIVE, SIX, 0));
        clock.set(SIX);
        parts().compact();
        parts().read();
        try (var files = Files.list(temp)) {
            assertThat(files).isEmpty();
        }
    }
}
