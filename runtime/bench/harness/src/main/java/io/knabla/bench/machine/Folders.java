package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Creates and deletes temporary folders of a benchmark. */
public final class Folders {
    private Folders() {}

    public static Path temporary() {
        try {
            Path folder = Files.createTempDirectory("knabla-bench-");
            ShutdownCleanup.add(folder);
            return folder;
        } catch (IOException error) {
            throw new UncheckedIOException("cannot make a temporary folder", error);
        }
    }

    public static void delete(Path folder) {
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
            ShutdownCleanup.remove(folder);
        } catch (IOException error) {
            throw new UncheckedIOException("cannot delete " + folder, error);
        }
    }
}
