package io.knabla.controller.images;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds files in the output of the build; fails with a hint if one is missing. */
final class BuildOutput {
    private BuildOutput() {}

    static Path file(Path folder, String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            throw CliFailure.failed(
                    "%s is missing, so this is no build from source. Run ./knabla images in a checkout; if this is one, remove target/knabla.stamp and run it again.",
                    file);
        }
        return file;
    }

    /** All jars in a folder and below, sorted by path. */
    static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** The file of a folder whose name matches a regular expression. */
    static Path single(Path folder, String pattern) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .findFirst()
                    .orElseGet(() -> file(folder, pattern));
        }
    }
}
