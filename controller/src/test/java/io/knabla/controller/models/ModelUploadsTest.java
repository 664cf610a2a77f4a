package io.knabla.controller.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.Home;
import io.knabla.controller.models.UploadResult.Range;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resumes an upload of which more bytes are here than the disk has free; in the test they are a hole of the file. */
class ModelUploadsTest {
    private static final Digest MODEL = new Digest("sha256:" + "a".repeat(64));

    @TempDir
    Path folder;

    private ModelUploads uploads;
    private long here;

    @BeforeEach
    void receiveTheFirstPart() throws IOException {
        uploads = new ModelUploads(
                new MemoryObjectStore(), new Home(folder), () -> "id", Clock.systemUTC(), Long.MAX_VALUE);
        Path parts = Files.createDirectories(folder.resolve("uploads"));
        here = Files.getFileStore(parts).getUsableSpace() + (1L << 30);
        try (var part =
                new RandomAccessFile(parts.resolve(MODEL.hex() + ".part").toFile(), "rw")) {
            part.setLength(here);
        }
    }

    private UploadResult resume(long total) throws IOException {
        return uploads.receive(
                MODEL,
                Optional.of(new Range(here, here, total)),
                OptionalLong.of(1),
                new ByteArrayInputStream(new byte[1]));
    }

    @Test
    void bytesThatAreHereNeedNoFurtherRoom() throws IOException {
        assertThat(resume(here + 2)).isEqualTo(new UploadResult.Partial(here + 1));
    }

    @Test
    void refusesAFileWhoseRestDoesNotFit() throws IOException {
        long rest = 1L << 60;

        assertThat(resume(here + rest))
                .isInstanceOfSatisfying(
                        UploadResult.DiskFull.class,
                        full -> assertThat(full.sentence())
                                .contains("%,d bytes of the file are still to come".formatted(rest)));
        assertThat(uploads.offset(MODEL)).isEqualTo(here);
    }
}
