package io.knabla.controller.cost.ledger;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A new folder that is deleted with its files at the end; its path has no symbolic links, as DuckDB needs it. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    /** @param parent created if it is absent */
    public TemporaryFolder(Path parent) throws IOException {
        path = Files.createTempDirectory(Files.createDirectories(parent).toRealPath(), "usage-");
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failed) throws IOException {
                if (failed != null) {
                    throw failed;
                }
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
