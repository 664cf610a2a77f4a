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

/** Creates folders below a root durably: they survive a power failure. */
public final class DurableFolders {
    private final Path root;

    /** Folders whose names this process has flushed; a folder that merely exists may be unflushed. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    DurableFolders(Path root) {
        this.root = root;
    }

    /**
     * Creates a folder and those above it that are absent, each of them durably.
     *
     * @throws IOException if one of them cannot be created or flushed, or is a file
     */
    public static void create(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Path existing = absolute;
        while (!Files.exists(existing)) {
            existing = existing.getParent();
        }
        // A killed process may have created this one and not flushed its name; elsewhere its parent may be unreadable.
        Path parent = existing.getParent();
        new DurableFolders(parent != null && Files.isWritable(parent) ? parent : existing).ensure(absolute);
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
    public static void flush(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
