package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Exclusive lock between the processes and threads of one machine, held on a lock file. The operating system releases
 * it when a process dies. Lock files are never deleted: that could release a lock which another process just took.
 */
public final class NodeLock implements AutoCloseable {
    /**
     * File locks belong to a process, not to a thread; this set excludes other threads. It also prevents closing a
     * second channel of a locked file, which would release the lock.
     */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;
    private final BootMark mark;

    private NodeLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
        this.mark = new BootMark(channel);
    }

    /** Waits until the lock is free and takes it. */
    public static NodeLock take(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        enter(path);
        return open(path, true).orElseThrow();
    }

    /** Empty if another holder has it, also one in this process. */
    public static Optional<NodeLock> tryTake(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        synchronized (HELD) {
            if (!HELD.add(path)) {
                return Optional.empty();
            }
        }
        return open(path, false);
    }

    /** Whether a holder verified the locked file or unit since the last boot. */
    public boolean verifiedSinceBoot() throws IOException {
        return mark.isCurrent();
    }

    public void markVerified() throws IOException {
        mark.write();
    }

    /** Expects the path in {@link #HELD}, and removes it if the lock is not taken. */
    private static Optional<NodeLock> open(Path path, boolean wait) throws IOException {
        FileChannel channel = null;
        FileLock lock = null;
        try {
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock = wait ? channel.lock() : channel.tryLock();
            return lock == null ? Optional.empty() : Optional.of(new NodeLock(path, channel));
        } finally {
            if (lock == null) {
                if (channel != null) {
                    channel.close();
                }
                leave(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            leave(file);
        }
    }

    private static void enter(Path path) throws IOException {
        synchronized (HELD) {
            while (!HELD.add(path)) {
                try {
                    HELD.wait();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    throw new IOException("stopped while waiting for " + path, stopped);
                }
            }
        }
    }

    private static void leave(Path path) {
        synchronized (HELD) {
            HELD.remove(path);
            HELD.notifyAll();
        }
    }
}
