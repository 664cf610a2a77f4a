package io.knabla.controller.cost.ledger.segment;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.TestClock;
import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSegmentsTest {
    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(FIVE);

    private LocalSegments open(String writer, long maxBytes) {
        return LocalSegments.open(folder.resolve("wal"), writer, clock, maxBytes);
    }

    private List<String> ids() {
        LocalFolder files = new LocalFolder(folder.resolve("wal"));
        List<String> ids = new ArrayList<>();
        for (SegmentName name : files.list().names()) {
            SegmentContents contents = files.read(name).orElseThrow();
            assertThat(contents.damages()).isEmpty();
            contents.rows().stream().map(Row::id).forEach(ids::add);
        }
        return ids;
    }

    private static Row row(String id) {
        return ended(id, FIVE, SIX, 0);
    }

    @Test
    void aRowIsInTheFileWhenItIsAcknowledged() {
        try (LocalSegments segments = open("w", 1 << 20)) {
            new Ledger(segments).append(List.of(row("a")));
            assertThat(ids()).containsExactly("a");
        }
        try (LocalSegments again = open("x", 1 << 20)) {
            new Ledger(again).append(List.of(row("b")));
            assertThat(ids()).containsExactly("a", "b");
        }
    }

    @Test
    void noRowsAreNoWrite() {
        try (LocalSegments segments = open("w", 1 << 20)) {
            new Ledger(segments).append(List.of());
            assertThat(segments.list().names()).isEmpty();
        }
    }

    @Test
    void theFolderIsOpenOnceAtATime() {
        try (LocalSegments segments = open("w", 1 << 20)) {
            assertThatThrownBy(() -> open("x", 1 << 20))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("another process");
            assertThat(segments.recovered()).isEmpty();
        }
        open("y", 1 << 20).close();
    }

    @Test
    void anHourThatEndedEndsItsFileEvenIfNothingIsAppended() {
        try (LocalSegments segments = open("w", 1 << 20)) {
            new Ledger(segments).append(List.of(row("a")));
            assertThat(segments.ended()).isEmpty();
            clock.set(SIX);
            assertThat(segments.ended()).containsExactly(new SegmentName(FIVE, "w", 0));
            new Ledger(segments).append(List.of(row("b")));
            assertThat(segments.list().names())
                    .containsExactly(new SegmentName(FIVE, "w", 0), new SegmentName(SIX, "w", 1));
            assertThat(segments.ended()).hasSize(1);
        }
    }

    @Test
    void aClockThatIsSetBackEndsNoFileThatIsWritten() {
        clock.set(SIX);
        try (LocalSegments segments = open("w", 1 << 20)) {
            new Ledger(segments).append(List.of(row("a")));
            clock.set(FIVE);
            new Ledger(segments).append(List.of(row("b")));
            assertThat(segments.ended()).isEmpty();
            assertThat(ids()).containsExactly("a", "b");
        }
    }

    @Test
    void aFullFileIsContinuedInTheNext() {
        try (LocalSegments segments = open("w", 1)) {
            new Ledger(segments).append(List.of(row("a")));
            new Ledger(segments).append(List.of(row("b")));
            assertThat(segments.list().names()).hasSize(2);
            assertThat(ids()).containsExactly("a", "b");
        }
    }

    @Test
    void rowsOfConcurrentCallersAreAllThere() throws Exception {
        List<String> expected = new ArrayList<>();
        try (LocalSegments segments = open("w", 5000);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Ledger ledger = new Ledger(segments);
            List<Future<?>> appends = new ArrayList<>();
            for (int caller = 0; caller < 200; caller++) {
                String id = "n" + caller;
                expected.add(id);
                appends.add(callers.submit(() -> ledger.append(List.of(row(id)))));
            }
            for (Future<?> append : appends) {
                append.get();
            }
        }
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void anInterruptedCallerLosesNoRowAndStaysInterrupted() {
        try (LocalSegments segments = open("w", 1 << 20)) {
            Ledger ledger = new Ledger(segments);
            ledger.append(List.of(row("a")));
            Thread.currentThread().interrupt();
            ledger.append(List.of(row("b")));
            assertThat(Thread.interrupted()).isTrue();
            ledger.append(List.of(row("c")));
            assertThat(ids()).containsExactly("a", "b", "c");
        }
    }

    @Test
    void aFolderThatIsGoneIsToldToTheCaller() throws Exception {
        try (LocalSegments segments = open("w", 1)) {
            Ledger ledger = new Ledger(segments);
            ledger.append(List.of(row("a")));
            Path moved = folder.resolve("moved");
            Files.move(folder.resolve("wal"), moved);
            assertThatThrownBy(() -> ledger.append(List.of(row("b"))))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("write to");
            Files.move(moved, folder.resolve("wal"));
            ledger.append(List.of(row("b")));
            assertThat(ids()).containsExactly("a", "b");
        }
    }

    @Test
    void aClosedLedgerRefusesRows() {
        LocalSegments segments = open("w", 1 << 20);
        segments.close();
        assertThatThrownBy(() -> new Ledger(segments).append(List.of(row("a"))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aForeignFileIsTold() throws Exception {
        open("w", 1).close();
        Files.writeString(folder.resolve("wal/notes.wal"), "x");
        assertThat(new LocalFolder(folder.resolve("wal")).list().damages())
                .extracting(LedgerDamage::name)
                .containsExactly("notes.wal");
    }
}
