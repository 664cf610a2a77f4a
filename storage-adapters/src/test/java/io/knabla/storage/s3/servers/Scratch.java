package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;

/** Folders that end with this JVM. */
final class Scratch {
    private Scratch() {}

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

    /** A server that is ending at the same time may still write; what stays is in the temp folder. */
    private static void tidy(Path folder) {
        try {
            delete(folder);
        } catch (NoSuchFileException gone) {
            // The server took it away itself.
        } catch (IOException busy) {
            System.err.println("left behind: " + folder + " (" + busy.getMessage() + ")");
        }
    }
}
