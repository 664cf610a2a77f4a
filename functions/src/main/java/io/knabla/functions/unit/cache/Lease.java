package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Says that a process of this machine uses a unit, by a shared lock on a file, which the operating system frees when
 * the process dies. The file's time is the unit's last use. The first thing of every start, so it is small.
 */
public final class Lease implements AutoCloseable {
    /** What is done to a unit that nobody uses. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** This process's leases: closing a second channel of such a file would free its lock. */
    private static final Map<Path, Lease> HELD = new HashMap<>();

    private final Path file;

    /** Null where the folder cannot be written to, as nobody can evict there either. */
    private final FileChannel channel;

    private int holders;

    private Lease(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Waits for an eviction that is under way; never closed, it lasts as long as the process. */
    public static Lease hold(Path file) {
        Path path = file.toAbsolutePath();
        synchronized (HELD) {
            Lease held = HELD.get(path);
            if (held == null) {
                held = open(path);
                HELD.put(path, held);
            }
            held.holders++;
            return held;
        }
    }

    private static Lease open(Path path) {
        try {
            FileChannel channel = channel(path);
            try {
                channel.lock(0, Long.MAX_VALUE, true);
                return new Lease(path, channel);
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        } catch (IOException readOnly) {
            return new Lease(path, null);
        }
    }

    private static FileChannel channel(Path path) throws IOException {
        try {
            return make(path);
        } catch (NoSuchFileException firstOfAll) {
            Files.createDirectories(path.getParent());
            return make(path);
        }
    }

    private static FileChannel make(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Whether the unit was checked since the machine started; if so, it is now in use once more. */
    public boolean fresh() {
        if (channel == null) {
            return true;
        }
        try {
            var mark = new BootMark(channel);
            if (!mark.fresh()) {
                return false;
            }
            mark.refresh();
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** The unit has just been checked. */
    public void refresh() throws IOException {
        if (channel != null) {
            new BootMark(channel).refresh();
        }
    }

    /** Answers whether nobody uses the unit; if so, nobody did while the action ran. */
    static boolean ifUnused(Path file, Action action) throws IOException {
        Path path = file.toAbsolutePath();
        synchronized (HELD) {
            if (HELD.containsKey(path)) {
                return false;
            }
            try (FileChannel channel = channel(path)) {
                if (channel.tryLock() == null) {
                    return false;
                }
                action.run();
                return true;
            }
        }
    }

    /**
     * Notes that a unit in use is used now. A lease of this process is written through its own channel: whatever opens
     * the file anew closes it too, and that would free the lock.
     */
    static void touch(Path file, FileTime now) throws IOException {
        Path path = file.toAbsolutePath();
        synchronized (HELD) {
            Lease own = HELD.get(path);
            if (own == null) {
                Files.setLastModifiedTime(path, now);
            } else {
                own.fresh();
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (--holders == 0) {
                HELD.remove(file);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }
}
