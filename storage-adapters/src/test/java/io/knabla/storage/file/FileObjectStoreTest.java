package io.knabla.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreContract;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on the file store; also tests sweeping, etags and foreign files. */
class FileObjectStoreTest extends ObjectStoreContract {
    @TempDir
    Path root;

    private ObjectStore store;

    @BeforeEach
    void open() {
        store = FileObjectStore.open(root);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void openingToReadCreatesNoFiles() {
        Path nowhere = root.resolve("not-there");
        try (ObjectStore reader = FileObjectStore.openToRead(nowhere)) {
            assertThat(reader.read(KEY)).isEmpty();
            assertThat(reader.list("")).isEmpty();
        }
        assertThat(nowhere).doesNotExist();
    }

    @Test
    void aFolderInPlaceOfAnObjectIsNamedWithItsRemedy() throws IOException {
        store.write(KEY, Content.of(new byte[1]));
        Path file = store.localPath(KEY).orElseThrow();
        Files.delete(file);
        Files.createDirectory(file);
        for (ThrowableAssert.ThrowingCallable reading : List.<ThrowableAssert.ThrowingCallable>of(
                () -> store.read(KEY),
                () -> store.open(KEY, ByteRange.ALL).orElseThrow().read())) {
            assertThatThrownBy(reading)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            fault -> assertThat(fault.kind()).isEqualTo(StorageException.Kind.BAD_OBJECT))
                    .hasMessageContaining(KEY.path())
                    .hasMessageContaining(file + " is a folder")
                    .hasMessageContaining("Move it away");
        }
    }

    @Test
    void aFolderThatWentAwayIsAnOutageUntilItIsBack() throws IOException {
        Path mounted = root.resolve("mounted");
        Path elsewhere = root.resolve("elsewhere");
        try (ObjectStore open = FileObjectStore.open(mounted)) {
            open.write(KEY, content("kept"));
            Files.move(mounted, elsewhere);

            List<ThrowableAssert.ThrowingCallable> calls =
                    List.of(() -> open.stat(KEY), () -> open.read(KEY), () -> open.list(""), () -> open.delete(KEY));
            assertThat(calls)
                    .allSatisfy(call -> assertThatThrownBy(call)
                            .isInstanceOfSatisfying(
                                    StorageException.class,
                                    outage -> assertThat(outage.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE))
                            .hasMessageContaining(mounted + " went away"));

            Files.move(elsewhere, mounted);
            assertThat(open.read(KEY).orElseThrow().bytes()).asString().isEqualTo("kept");
        }
    }

    @Test
    void aReaderSeesWhatAnotherStoreWrote() throws IOException {
        store.write(KEY, content("shared"));
        try (ObjectStore reader = Stores.openToRead(store.location())) {
            assertThat(reader.read(KEY).orElseThrow().bytes()).asString().isEqualTo("shared");
            assertThat(reader.localPath(KEY)).contains(store.localPath(KEY).orElseThrow());
        }
        assertThat(store.localPath(KEY).orElseThrow()).hasContent("shared");
    }

    @Test
    void twoStoresOfOneProcessDoNotSweepEachOther() throws IOException {
        store.write(KEY, content("mine"));
        try (ObjectStore other = FileObjectStore.open(root)) {
            other.write(KEY, content("yours"));
        }
        FileObjectStore.open(root).close();

        store.write(KEY, content("mine again"));
        assertThat(text(KEY.path())).isEqualTo("mine again");
    }

    @Test
    void sweepsAndNeverListsFilesOfDeadWriters() throws IOException {
        Path dead = Files.createDirectories(root.resolve("tmp/1-dead"));
        Files.writeString(dead.resolve("7"), "half an obj");
        Files.createFile(root.resolve("tmp/1-dead.lock"));
        assertThat(list("")).isEmpty();

        FileObjectStore.open(root).close();

        assertThat(root.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void closingLeavesOnlyObjectsAndLocks() throws IOException {
        store.write(KEY, content("x"));
        store.createOnce(ObjectKey.of("y"), content("y"));
        store.close();

        assertThat(FileTrees.files(root.resolve("objects"))).hasSize(2);
        assertThat(root.resolve("tmp")).isEmptyDirectory();
        assertThatThrownBy(() -> store.write(KEY, content("z")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void etagsChangeWhenTheClockStopsOrGoesBack() throws IOException {
        Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
        InstantSource clock = () -> now[0];
        try (ObjectStore stuck = FileObjectStore.open(root, clock)) {
            String first = stuck.write(KEY, content("a"));
            String second = stuck.write(KEY, content("b"));
            now[0] = now[0].minusSeconds(3_600);
            String third = stuck.write(KEY, content("c"));

            assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
            assertThat(stuck.replaceIfMatch(KEY, first, content("d"))).isEmpty();
            assertThat(stuck.replaceIfMatch(KEY, third, content("d"))).isPresent();
        }
    }

    /** Stronger than the port: equal bytes get a new etag, too. */
    @Test
    void neverReusesAnEtag() throws IOException {
        List<String> etags = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            etags.add(store.write(KEY, content("same")));
            if (i % 3 == 0) {
                store.delete(KEY);
                etags.add(store.createOnce(KEY, content("same")).orElseThrow());
            }
        }
        assertThat(etags).doesNotHaveDuplicates();
    }

    @Test
    void ignoresFilesItDidNotWrite() throws IOException {
        store.write(ObjectKey.of("a/b"), content("x"));
        Path folder = store.localPath(ObjectKey.of("a/b")).orElseThrow().getParent();
        Files.writeString(folder.resolve(".DS_Store"), "junk");
        Files.writeString(folder.resolve("b~"), "backup");

        assertThat(list("")).containsExactly("a/b");
    }

    @Test
    void rejectsAFileAsStoreFolder() throws IOException {
        Path file = Files.createFile(root.resolve("a-file"));

        assertThatThrownBy(() -> FileObjectStore.open(file))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(file + " is a file where the store needs a folder. Move it");
    }

    @Test
    void reportsAFileWhereAFolderIsExpected() throws IOException {
        Files.createDirectories(root.resolve("objects"));
        Path file = Files.createFile(root.resolve("objects/catalog+"));

        assertThatThrownBy(() -> store.write(KEY, content("x")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot write '" + KEY + "'")
                .hasMessageContaining("a file");
        assertThatThrownBy(() -> store.read(KEY))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("Move it away");
        assertThatThrownBy(() -> store.list("catalog/").close()).isInstanceOf(StorageException.class);
        Files.delete(file);
        assertThat(list("")).isEmpty();
        assertThat(FileTrees.files(root.resolve("tmp")))
                .allMatch(left -> left.toString().endsWith(".lock"));
    }
}
