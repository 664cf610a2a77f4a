package io.knabla.controller.cost.ledger.segment;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.TestClock;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
            contents.rows().stream().map(UsageRecord::id).forEach(ids::add);
        }
        return ids;
    }

    private static UsageRecord row(String id) {
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
                    .hasMessageContaining("this process already");
            assertThat(segments.recovered()).isEmpty();
        }
        open("y", 1 << 20).close();
    }

    /** Takes the lock of a folder for itself, and prints whether it could; run as a process of its own. */
    static final class OtherProcess {
        private OtherProcess() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0], "lock"), StandardOpenOption.WRITE)) {
                System.out.print(channel.tryLock() == null ? "locked" : "free");
            }
        }
    }

    private String seenByAnotherProcess() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        folder.resolve("wal").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).isZero();
        return answer;
    }

    @Test
    void aSecondOpeningLeavesTheFolderLockedForOtherProcesses() throws Exception {
        LocalSegments first = open("w", 1 << 20);
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("wal"));
        assertThatThrownBy(() -> LocalSegments.open(link, "x", clock, 1)).isInstanceOf(StorageException.class);
        assertThat(seenByAnotherProcess()).isEqualTo("locked");
        first.close();
        assertThat(seenByAnotherProcess()).isEqualTo("free");
    }

    @Test
    void aSecondCloseDoesNotUnlockTheFolderOfALaterOpening() {
        LocalSegments first = open("w", 1 << 20);
        first.close();
        try (LocalSegments second = open("x", 1 << 20)) {
            first.close();
            assertThatThrownBy(() -> open("y", 1 << 20)).isInstanceOf(StorageException.class);
            new Ledger(second).append(List.of(row("a")));
        }
        assertThat(ids()).containsExactly("a");
    }

    @Test
    void foldersThatAreAbsentAreCreatedAndAFileAmongThemIsRefused() throws Exception {
        Path deep = folder.resolve("a/b/c/wal");
        LocalSegments.open(deep, "w", clock, 1).close();
        assertThat(deep).isDirectory();
        Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> LocalSegments.open(folder.resolve("file/wal"), "w", clock, 1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("file");
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

    /** Even a user who may read everything cannot read a folder. */
    @Test
    void aFolderInPlaceOfASegmentIsDamageAndTheOthersGoOn() throws Exception {
        try (LocalSegments segments = open("w", 1)) {
            new Ledger(segments).append(List.of(row("a")));
            new Ledger(segments).append(List.of(row("b")));
        }
        Path first = folder.resolve("wal").resolve(new SegmentName(FIVE, "w", 0) + ".wal");
        Files.delete(first);
        Files.createDirectory(first);
        try (LocalSegments segments = open("x", 1)) {
            assertThat(segments.recovered())
                    .extracting(LedgerDamage::detail)
                    .singleElement()
                    .asString()
                    .contains(first.toString());
            new Ledger(segments).append(List.of(row("c")));
            Usage usage = new Ledger(segments).unmerged();
            assertThat(usage.rows()).extracting(UsageRecord::id).containsExactlyInAnyOrder("b", "c");
            assertThat(usage.damages()).extracting(LedgerDamage::type).containsExactly(LedgerDamage.Type.CORRUPT);
        }
    }

    @Test
    void lazySegmentsAreOpenedWhenTheyAreNeededAndAgainAfterAFailure() throws Exception {
        Path wal = folder.resolve("wal");
        Files.writeString(wal, "a file in place of the folder");
        try (LazySegments segments = new LazySegments(() -> open("w", 1))) {
            assertThatThrownBy(segments::list)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(wal.toString());
            Files.delete(wal);
            new Ledger(segments).append(List.of(row("a")));
            assertThat(ids()).containsExactly("a");
        }
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
