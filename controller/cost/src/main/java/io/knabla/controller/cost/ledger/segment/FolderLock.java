package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Locks a folder for one writer, against other processes and against other openings in this one. */
final class FolderLock implements AutoCloseable {
    /** Folders that this process has locked: to close a second channel to a locked file would drop the POSIX lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;
    private boolean closed;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * Locks an existing folder.
     *
     * @throws StorageException if it is locked
     */
    static FolderLock take(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw held(folder, "this process already", "Close the other one first.");
        }
        try {
            return new FolderLock(real, lock(real));
        } catch (IOException | RuntimeException failed) {
            HELD.remove(real);
            throw failed;
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isMine = false;
        try {
            isMine = channel.tryLock() != null;
        } finally {
            if (!isMine) {
                channel.close();
            }
        }
        if (!isMine) {
            throw held(folder, "another process", "Stop the other one first.");
        }
        return channel;
    }

    private static StorageException held(Path folder, String holder, String cure) {
        return new StorageException(
                StorageException.Kind.UNAVAILABLE,
                "the usage ledger in %s is open in %s.".formatted(folder, holder),
                cure);
    }

    /** A second call must not release what another opening locked meanwhile. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException ignored) {
            // The process gives it back at its end.
        } finally {
            HELD.remove(folder);
        }
    }
}
