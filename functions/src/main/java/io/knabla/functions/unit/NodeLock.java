package io.knabla.functions.unit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * One holder of a lock file at a time on this machine. The operating system frees it when a process
 * dies. Lock files stay: deleting one could free a lock that another process just took.
 */
final class NodeLock implements AutoCloseable {
    /** File locks are a process's, not a thread's; this set keeps threads apart. */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private NodeLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static NodeLock take(Path file) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        enter(path);
        try {
            FileChannel channel =
                    FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                channel.lock();
                return new NodeLock(path, channel);
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            leave(path);
            throw failed;
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
