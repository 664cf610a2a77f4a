package io.knabla.storage.file;

import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks a key for one writer at a time, across threads and processes.
 *
 * <p>A lock of the operating system belongs to the whole process, and closing <em>any</em> channel on its file drops
 * it. So the threads of this JVM first take a Java lock, one per lock file name and shared by all stores: no lock file
 * is ever open twice in this process.
 */
final class KeyLocks {
    private static final int COUNT = 64;
    private static final ReentrantLock[] THREADS = new ReentrantLock[COUNT];

    static {
        for (int i = 0; i < COUNT; i++) {
            THREADS[i] = new ReentrantLock();
        }
    }

    /** Work to do while the key is locked. */
    interface Action<T> {
        T run() throws IOException;
    }

    private final Path folder;

    KeyLocks(Path folder) {
        this.folder = folder;
    }

    <T> T withLock(ObjectKey key, Action<T> action) throws IOException {
        int index = Math.floorMod(key.path().hashCode(), COUNT);
        THREADS[index].lock();
        try (FileChannel file = FileChannel.open(
                folder.resolve(Integer.toString(index)), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.lock(); // released when the channel closes, or by the system if the process dies
            return action.run();
        } finally {
            THREADS[index].unlock();
        }
    }
}
