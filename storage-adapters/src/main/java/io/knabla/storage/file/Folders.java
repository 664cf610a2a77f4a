package io.knabla.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes folders below the store's root so that they survive a power cut. */
final class Folders {
    private final Path root;

    /** Folders whose names this process has flushed; one merely seen may be another's, unflushed. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    Folders(Path root) {
        this.root = root;
    }

    void ensure(Path folder) throws IOException {
        if (folder.equals(root) || durable.contains(folder)) {
            return;
        }
        ensure(folder.getParent());
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException exists) {
            if (!Files.isDirectory(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
        flush(folder.getParent());
        durable.add(folder);
    }

    /** Makes the names in a folder durable: what was renamed, linked or deleted in it. */
    static void flush(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
