package io.knabla.storage.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;

/** A complete, flushed temporary file, ready to be renamed or linked to its key. */
record StagedFile(Path file) implements AutoCloseable {
    /** Tried in turn, because the time resolution of file systems ranges from 1 ns to 2 s. */
    private static final long[] STEPS_NANOS = {1, 100, 1_000, 1_000_000_000, 2_000_000_000};

    String etag() throws IOException {
        return Etags.of(Files.readAttributes(file, BasicFileAttributes.class));
    }

    /** Sets the modification time later than that of the previous version, whatever the clock says. */
    String stampAfter(Optional<Instant> before) throws IOException {
        for (long step : STEPS_NANOS) {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            if (before.isEmpty() || now.lastModifiedTime().toInstant().isAfter(before.get())) {
                return Etags.of(now);
            }
            Files.setLastModifiedTime(file, FileTime.from(before.get().plusNanos(step)));
        }
        return etag();
    }

    /** Never fails: a file that cannot be deleted is swept when the store is next opened. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // The caller needs the result of the write, not of the cleanup.
        }
    }
}
