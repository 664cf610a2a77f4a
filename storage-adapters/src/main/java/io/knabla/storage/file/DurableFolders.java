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

/** Creates folders below the root of the store durably: they survive a power failure. */
final class DurableFolders {
    private final Path root;

    /** Folders whose names this process has flushed; a folder that merely exists may be unflushed. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    DurableFolders(Path root) {
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

    /** Flushes the entries of a folder after a rename, link or delete in it. */
    static void flush(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
