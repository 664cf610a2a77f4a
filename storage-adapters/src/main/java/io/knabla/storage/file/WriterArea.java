package io.knabla.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A folder for one writer's temporary files. A lock of the operating system on {@code ID.lock} says that the writer
 * lives; it goes when the process dies, however it dies, and then anyone may sweep.
 */
final class WriterArea implements AutoCloseable {
    private static final String LOCK = ".lock";

    /** Areas of this JVM. Their lock files must not be opened again: closing that would unlock them. */
    private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

    private final String id;
    private final Path lockFile;
    private final Path folder;
    private final FileChannel lock;
    private final AtomicLong count = new AtomicLong();

    private WriterArea(String id, Path parent, FileChannel lock) {
        this.id = id;
        this.lockFile = parent.resolve(id + LOCK);
        this.folder = parent.resolve(id);
        this.lock = lock;
    }

    static WriterArea open(Path parent) throws IOException {
        while (true) {
            String id = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
            if (OWN.add(id)) {
                WriterArea area = tryOpen(parent, id);
                if (area != null) {
                    return area;
                }
                OWN.remove(id);
            }
        }
    }

    /** Null when a sweeper came between making the lock file and locking it: take another id. */
    private static WriterArea tryOpen(Path parent, String id) throws IOException {
        Path lockFile = parent.resolve(id + LOCK);
        if (Files.exists(lockFile)) {
            return null; // another container's process with our pid
        }
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() == null || !Files.exists(lockFile)) {
            channel.close();
            return null;
        }
        WriterArea area = new WriterArea(id, parent, channel);
        Files.createDirectory(area.folder);
        return area;
    }

    Path newFile() {
        return folder.resolve(Long.toString(count.incrementAndGet()));
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            clear(folder, lockFile);
        } finally {
            OWN.remove(id);
        }
    }

    /**
     * Removes what dead writers left, and answers how many those were. Never fails: a sweep that cannot is left to the
     * next one.
     */
    static int sweep(Path parent) {
        int dead = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.endsWith(LOCK) && sweep(parent, name.substring(0, name.length() - LOCK.length()))) {
                    dead++;
                }
            }
        } catch (IOException notNow) {
            // A store that is new, or that this process may only read.
        }
        return dead;
    }

    private static boolean sweep(Path parent, String id) throws IOException {
        if (OWN.contains(id)) {
            return false;
        }
        Path lockFile = parent.resolve(id + LOCK);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                clear(parent.resolve(id), lockFile);
                return true;
            }
        } catch (OverlappingFileLockException alive) {
            // A store of this JVM under another class loader.
        }
        return false;
    }

    /** The lock file goes last, so that a sweep which is killed half-way is found again. */
    private static void clear(Path folder, Path lockFile) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
        Files.deleteIfExists(lockFile);
    }
}
