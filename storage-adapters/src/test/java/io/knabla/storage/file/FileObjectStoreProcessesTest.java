package io.knabla.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the guarantees of the file store across processes: races, kills, full and read-only disks. */
@Tag("faults")
class FileObjectStoreProcessesTest {
    private static final List<String> PLAIN = List.of();

    @TempDir
    Path root;

    @Test
    void losesNoUpdateOfTwoProcesses() throws Exception {
        Process child = StoreChild.start(PLAIN, root, "count", "100");
        try (ObjectStore store = FileObjectStore.open(root)) {
            StoreChild.count(store, 100);
            assertThat(child.waitFor()).isZero();

            StoredNumber counter = new StoredNumber(store, "counter");
            assertThat(counter.value()).isEqualTo(200);
        }
    }

    private record StoredNumber(ObjectStore store, String key) {
        int value() {
            byte[] bytes = store.read(ObjectKey.of(key)).orElseThrow().bytes();
            return Integer.parseInt(new String(bytes, UTF_8));
        }
    }

    @Test
    void exactlyOneOfTwoProcessesCreatesAKey() throws Exception {
        Process one = StoreChild.start(PLAIN, root, "create", "one");
        Process two = StoreChild.start(PLAIN, root, "create", "two");
        assertThat(one.inputReader().readLine()).isEqualTo("at the line");
        assertThat(two.inputReader().readLine()).isEqualTo("at the line");
        one.getOutputStream().close();
        two.getOutputStream().close();
        List<String> wonByOne = lines(one);
        List<String> wonByTwo = lines(two);
        assertThat(one.waitFor() + two.waitFor()).isZero();

        List<String> won = new ArrayList<>(wonByOne);
        won.addAll(wonByTwo);
        assertThat(won).hasSize(100).doesNotHaveDuplicates();
        try (ObjectStore store = FileObjectStore.openToRead(root)) {
            for (String number : wonByOne) {
                assertThat(store.read(ObjectKey.of("race/" + number))
                                .orElseThrow()
                                .bytes())
                        .asString()
                        .isEqualTo("one");
            }
        }
    }

    @Test
    void killedWriterLeavesWholeObjectsAndSweepableFiles() throws Exception {
        Random random = new Random(7);
        boolean leftovers = false;
        for (int round = 0; round < 12; round++) {
            Process child = StoreChild.start(PLAIN, root, "fill", "");
            try (BufferedReader output = child.inputReader()) {
                assertThat(output.readLine()).startsWith("wrote"); // the writer is running
                LockSupport.parkNanos(random.nextLong(20_000_000)); // a random point of the next writes
                everyObjectIsWhole();
            } finally {
                child.destroyForcibly().waitFor();
            }
            leftovers |= !FileTrees.files(root.resolve("tmp")).isEmpty();
            everyObjectIsWhole();
            FileObjectStore.open(root).close();
            assertThat(root.resolve("tmp")).isEmptyDirectory();
        }
        assertThat(leftovers).as("some kill came in the middle of a write").isTrue();
    }

    @Test
    void keepsTemporaryFilesOfLiveWriters() throws Exception {
        Process child = StoreChild.start(PLAIN, root, "fill", "");
        try (BufferedReader output = child.inputReader()) {
            for (int i = 0; i < 30; i++) {
                assertThat(output.readLine()).startsWith("wrote");
                FileObjectStore.open(root).close();
            }
            assertThat(child.isAlive()).isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    @Test
    void openStoreSweepsFilesOfKilledWriters() throws Exception {
        try (ObjectStore store = FileObjectStore.open(root)) {
            Process child = StoreChild.start(PLAIN, root, "fill", "");
            assertThat(child.inputReader().readLine()).startsWith("wrote");
            assertThat(store.abortStaleUploads(Instant.MAX))
                    .as("while it lives")
                    .isZero();

            child.destroyForcibly().waitFor();

            assertThat(store.abortStaleUploads(Instant.MAX)).isEqualTo(1);
            assertThat(store.abortStaleUploads(Instant.MAX)).isZero();
        }
        assertThat(root.resolve("tmp")).isEmptyDirectory();
    }

    /**
     * Closing any channel on a lock file releases the lock of the whole process, so no lock file may be opened twice.
     */
    @Test
    void secondStoreInProcessKeepsTheLockOfTheFirst() throws Exception {
        try (ObjectStore first = FileObjectStore.open(root)) {
            first.write(ObjectKey.of("a"), Content.of(new byte[1]));
            List<Path> locks = FileTrees.files(root.resolve("tmp"));
            FileObjectStore.open(root).close();

            assertThat(StoreChild.start(PLAIN, root, "open", "").waitFor()).isZero();

            assertThat(FileTrees.files(root.resolve("tmp"))).isEqualTo(locks).hasSize(1);
        }
    }

    private void everyObjectIsWhole() throws IOException {
        try (ObjectStore store = FileObjectStore.openToRead(root);
                Stream<ObjectInfo> objects = store.list("fill/")) {
            for (ObjectInfo object : objects.toList()) {
                int index = object.key().path().charAt(5) - '0';
                assertThat(object.size()).isEqualTo(300_000 + index * 200_000L);
                try (InputStream in = store.open(object.key(), ByteRange.ALL).orElseThrow()) {
                    byte[] bytes = in.readAllBytes();
                    assertThat(bytes).hasSize((int) object.size()).containsOnly(bytes[0]);
                }
            }
        }
    }

    /** A file size limit makes a write fail and needs no privileges to set up. */
    @Test
    void failedWriteLeavesNoFiles() throws Exception {
        String said = bigWrite(List.of("sh", "-c", "ulimit -f 200; exec \"$@\"", "sh"), root);

        assertThat(said).contains("cannot write 'big'").contains("ulimit -f");
        onlyOldContentIsLeft(root);
    }

    /** Uses a real full disk, if an unprivileged user can mount one. */
    @Test
    void reportsAFullDiskAndLeavesNoFiles() throws Exception {
        List<String> tinyDisk = List.of(
                "unshare",
                "-rm",
                "sh",
                "-c",
                "mount -t tmpfs -o size=1m none \"$0\" && \"$@\" && ls -R \"$0\"",
                root.toString());
        assumeTrue(canRun(List.of("unshare", "-rm", "mount", "-t", "tmpfs", "none", root.toString())));

        Process child = StoreChild.start(tinyDisk, root, "write", "4000000");
        List<String> said = lines(child);

        assertThat(said.getFirst()).contains("the disk is full. Free some space");
        assertThat(said).noneMatch(line -> line.equals("big") || line.endsWith(".lock"));
    }

    /** A read-only mount also stops root, unlike missing permissions. */
    @Test
    void readsAReadOnlyMountAndExplainsFailedWrites() throws Exception {
        assumeTrue(canRun(List.of("unshare", "-rm", "mount", "--bind", "/tmp", "/tmp")));

        String said = bigWrite(
                List.of(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"",
                        root.toString()),
                root);

        assertThat(said).contains("mounted read-only. Remount it");
        onlyOldContentIsLeft(root);
    }

    private static String bigWrite(List<String> prefix, Path root) throws Exception {
        try (ObjectStore store = FileObjectStore.open(root)) {
            store.write(ObjectKey.of("big"), Content.of("old".getBytes(UTF_8)));
        }
        Process child = StoreChild.start(prefix, root, "write", "4000000");
        List<String> said = lines(child);
        assertThat(child.waitFor()).isZero();
        return String.join("\n", said);
    }

    private static void onlyOldContentIsLeft(Path root) throws IOException {
        try (ObjectStore store = FileObjectStore.openToRead(root)) {
            assertThat(store.localPath(ObjectKey.of("big")).orElseThrow()).hasContent("old");
        }
        assertThat(root.resolve("tmp")).isEmptyDirectory();
        assertThat(FileTrees.files(root.resolve("objects"))).hasSize(1);
    }

    private static boolean canRun(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static List<String> lines(Process process) throws IOException {
        try (BufferedReader output = process.inputReader()) {
            return output.lines().toList();
        }
    }
}
