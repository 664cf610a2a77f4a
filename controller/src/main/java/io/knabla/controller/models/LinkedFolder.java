package io.knabla.controller.models;

import io.knabla.functions.packaging.FolderFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** A model's folder, made of links to stored files; deleted on close. */
public record LinkedFolder(Path folder) implements AutoCloseable {
    /** @param others files by name, besides config.json */
    public static LinkedFolder of(Path config, Map<String, Path> others) {
        try {
            var linked = new LinkedFolder(Files.createTempDirectory("knabla-folder-"));
            linked.add(FolderFiles.CONFIG, config);
            others.forEach(linked::add);
            return linked;
        } catch (IOException full) {
            throw new UncheckedIOException("cannot make a temporary folder", full);
        }
    }

    /** The link to config.json. */
    Path config() {
        return folder.resolve(FolderFiles.CONFIG);
    }

    void add(String name, Path file) {
        try {
            // A name was checked to lead out of no folder.
            Path link = folder.resolve(name);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, file.toAbsolutePath());
        } catch (IOException full) {
            close();
            throw new UncheckedIOException("cannot link " + name, full);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException left) {
            System.getLogger(LinkedFolder.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + folder, left);
        }
    }
}
