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
 * Marks a unit as in use by a process of this machine: a shared lock on a file, which the operating system releases
 * when the process dies. The file's modification time is the unit's last use. Every replica loads this class first, so
 * it is small.
 */
public final class UnitLease implements AutoCloseable {
    /** Action on a unit that no process uses. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    /** This process's leases: closing a second channel of such a file would release its lock. */
    private static final Map<Path, UnitLease> HELD = new HashMap<>();

    private final Path file;

    /** Null if the folder is read-only, since no process can evict from it either. */
    private final FileChannel channel;

    private int holders;

    private UnitLease(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Takes a lease and waits for an eviction in progress; a lease that is not closed lasts as long as the process. */
    public static UnitLease hold(Path file) {
        Path path = file.toAbsolutePath();
        synchronized (HELD) {
            UnitLease held = HELD.get(path);
            if (held == null) {
                held = open(path);
                HELD.put(path, held);
            }
            held.holders++;
            return held;
        }
    }

    private static UnitLease open(Path path) {
        try {
            FileChannel channel = channel(path);
            try {
                channel.lock(0, Long.MAX_VALUE, true);
                return new UnitLease(path, channel);
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        } catch (IOException readOnly) {
            return new UnitLease(path, null);
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

    /** Whether the unit was verified since the last boot; if so, records a use. */
    public boolean verifiedSinceBoot() {
        if (channel == null) {
            return true;
        }
        try {
            var mark = new BootMark(channel);
            if (!mark.isCurrent()) {
                return false;
            }
            mark.write();
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Records that the unit has just been verified. */
    public void markVerified() throws IOException {
        if (channel != null) {
            new BootMark(channel).write();
        }
    }

    /** Runs the action and returns true if no process uses the unit; none can start to use it meanwhile. */
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
     * Records the current time as the last use of a unit in use. A lease of this process is written through its own
     * channel: closing a second channel of the file would release the lock.
     */
    static void touch(Path file, FileTime now) throws IOException {
        Path path = file.toAbsolutePath();
        synchronized (HELD) {
            UnitLease own = HELD.get(path);
            if (own == null) {
                Files.setLastModifiedTime(path, now);
            } else {
                own.verifiedSinceBoot();
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
