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
 * Folder for the temporary files of one writer. The writer holds an operating system lock on {@code ID.lock}; the lock
 * is released when the process dies, in any way, and then any process may delete the files.
 */
final class WriterTempFolder implements AutoCloseable {
    private static final String LOCK = ".lock";

    /** Ids of this JVM. Their lock files must not be opened again: closing the channel would release the lock. */
    private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

    private final String id;
    private final Path lockFile;
    private final Path folder;
    private final FileChannel lock;
    private final AtomicLong count = new AtomicLong();

    private WriterTempFolder(String id, Path parent, FileChannel lock) {
        this.id = id;
        this.lockFile = parent.resolve(id + LOCK);
        this.folder = parent.resolve(id);
        this.lock = lock;
    }

    static WriterTempFolder open(Path parent) throws IOException {
        while (true) {
            String id = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
            if (OWN.add(id)) {
                WriterTempFolder area = tryOpen(parent, id);
                if (area != null) {
                    return area;
                }
                OWN.remove(id);
            }
        }
    }

    /** Returns null if a sweep deleted the lock file before it was locked: try another id. */
    private static WriterTempFolder tryOpen(Path parent, String id) throws IOException {
        Path lockFile = parent.resolve(id + LOCK);
        if (Files.exists(lockFile)) {
            return null; // a process of another container has the same pid
        }
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() == null || !Files.exists(lockFile)) {
            channel.close();
            return null;
        }
        WriterTempFolder area = new WriterTempFolder(id, parent, channel);
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
     * Deletes the files of dead writers and returns how many writers those were. Never fails: the next sweep tries
     * again.
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
            // The store is new, or read-only for this process.
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

    /** Deletes the lock file last: a sweep that is killed midway is found by the next one. */
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
