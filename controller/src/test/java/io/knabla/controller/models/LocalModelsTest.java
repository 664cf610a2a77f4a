package io.knabla.controller.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.home.Home;
import io.knabla.controller.models.LocalModels.BorrowedFile;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalModelsTest {
    private final AtomicInteger copies = new AtomicInteger();

    @TempDir
    Path folder;

    private ObjectStore store;
    private LocalModels models;

    @BeforeEach
    void open() {
        store = Stores.open("memory:///");
        models = on(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Counts downloads by the names generated for their files. */
    private LocalModels on(ObjectStore some) {
        return new LocalModels(some, new Home(folder), () -> "copy" + copies.incrementAndGet());
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private Digest stored(byte[] bytes) throws IOException {
        Digest digest = Sha256.of(bytes);
        store.write(ModelKeys.model(digest), Content.of(bytes));
        return digest;
    }

    private void nothingIsLeft() throws IOException {
        try (var files = Files.list(folder.resolve("uploads"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void keepsACopyUntilTheLastReaderCloses() throws IOException {
        byte[] bytes = bytes(5_000_000);
        Digest digest = stored(bytes);
        BorrowedFile first = models.borrow(digest);
        BorrowedFile second = models.borrow(digest);
        assertThat(first.file()).isEqualTo(second.file()).hasBinaryContent(bytes);
        first.close();
        assertThat(second.file()).exists();
        second.close();
        nothingIsLeft();
        try (BorrowedFile again = models.borrow(digest)) {
            assertThat(again.file()).hasBinaryContent(bytes);
        }
        assertThat(copies).hasValue(2);
        nothingIsLeft();
    }

    @Test
    void sharesOneDownloadAmongConcurrentReaders() throws Exception {
        byte[] bytes = bytes(3_000_000);
        Digest digest = stored(bytes);
        var all = new CyclicBarrier(6);
        Callable<Boolean> reader = () -> {
            all.await();
            try (BorrowedFile lent = models.borrow(digest)) {
                // No reader closes before all have borrowed.
                all.await();
                return Sha256.of(Files.readAllBytes(lent.file())).equals(digest);
            }
        };
        try (var threads = Executors.newFixedThreadPool(6)) {
            for (var right : threads.invokeAll(Collections.nCopies(6, reader))) {
                assertThat(right.get()).isTrue();
            }
        }
        assertThat(copies).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void rejectsDamagedBytes() throws IOException {
        Digest digest = Sha256.of(bytes(100));
        store.write(ModelKeys.model(digest), Content.of(bytes(99)));
        assertThatThrownBy(() -> models.borrow(digest))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining(Sha256.of(bytes(99)).value());
        nothingIsLeft();
        stored(bytes(100));
        try (BorrowedFile mended = models.borrow(digest)) {
            assertThat(mended.file()).hasBinaryContent(bytes(100));
        }
    }

    @Test
    void reportsAMissingModelWithARemedy() {
        assertThatThrownBy(() -> models.borrow(Sha256.of(bytes(10))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("deploy again");
    }

    @Test
    void adoptsALocalFileWithoutDownload() throws IOException {
        byte[] bytes = bytes(1000);
        Path here = Files.createDirectories(folder.resolve("uploads")).resolve("here.tmp");
        Files.write(here, bytes);
        Digest digest = Sha256.of(bytes);
        BorrowedFile own = models.adopt(digest, here);
        try (BorrowedFile other = models.borrow(digest)) {
            assertThat(other.file()).isEqualTo(here);
        }
        assertThat(here).exists();
        own.close();
        nothingIsLeft();
    }

    @Test
    void lendsFilesOfAFileStoreAndKeepsThem() throws IOException {
        try (ObjectStore files = Stores.open(folder.resolve("store").toUri())) {
            byte[] bytes = bytes(1000);
            Digest digest = Sha256.of(bytes);
            files.write(ModelKeys.model(digest), Content.of(bytes));
            Path lent;
            try (BorrowedFile own = on(files).borrow(digest)) {
                lent = own.file();
            }
            assertThat(lent).hasBinaryContent(bytes);
            assertThat(copies).hasValue(0);
        }
    }

    @Test
    void reportsAFullDiskBeforeWriting() throws IOException {
        assertThatThrownBy(() -> models.newFile("huge", Long.MAX_VALUE))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("the disk is full")
                .hasMessageContaining("KNABLA_HOME");
        nothingIsLeft();
    }
}
