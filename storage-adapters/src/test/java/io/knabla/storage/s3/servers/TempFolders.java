package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;

/** Creates temporary folders that are deleted when this JVM exits. */
final class TempFolders {
    private TempFolders() {}

    static Path folder() {
        try {
            Path folder = Files.createTempDirectory("knabla-s3-server");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> tidy(folder)));
            return folder;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Ignores failures: a server that is shutting down may still write, and the rest stays in the temp folder. */
    private static void tidy(Path folder) {
        try {
            delete(folder);
        } catch (NoSuchFileException gone) {
            // The server deleted it itself.
        } catch (IOException busy) {
            System.err.println("left behind: " + folder + " (" + busy.getMessage() + ")");
        }
    }
}
