package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Snapshot of a cache's items, sizes and uses. Files are identified by inode: a blob and its hard links in units count
 * once, and not at all if a link outside the cache, such as the store's own, keeps the bytes on disk anyway.
 */
final class Inventory {
    private static final String UNITS = "units/";

    /** A thousand years in milliseconds. */
    private static final long LONG_AGO = 1000L * 365 * 86_400_000;

    private final CacheFolder cache;
    private final FileTime now;
    private final List<Eviction.Item> items = new ArrayList<>();
    private final Map<Object, Long> bytes = new HashMap<>();
    private final Map<Object, Long> links = new HashMap<>();
    private final Map<Object, Long> found = new HashMap<>();

    private Inventory(CacheFolder cache, FileTime now) {
        this.cache = cache;
        this.now = now;
    }

    /**
     * Deletes what killed processes left half-materialised or half-deleted, and scans the cache.
     *
     * @param now recorded as the last use of every unit in use
     */
    static Inventory take(CacheFolder cache, FileTime now) throws IOException {
        var inventory = new Inventory(cache, now);
        for (Path folder : list(cache.units())) {
            inventory.unit(folder);
        }
        for (Path blob : list(cache.blobs())) {
            inventory.loose("blobs/", blob);
        }
        for (Path part : list(cache.parts())) {
            inventory.loose("parts/", part);
        }
        inventory.bytes.replaceAll((file, size) -> inventory.links.get(file) > inventory.found.get(file) ? 0 : size);
        return inventory;
    }

    List<Eviction.Item> items() {
        return items;
    }

    Map<Object, Long> bytes() {
        return bytes;
    }

    /** Size of the whole cache in bytes. */
    long total() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Deletes an item unless a process has begun to use it. */
    static void remove(CacheFolder cache, Eviction.Item item) throws IOException {
        String hex = item.name().substring(item.name().indexOf('/') + 1);
        if (item.name().startsWith(UNITS)) {
            UnitLease.ifUnused(cache.lease(hex), () -> cache.deleteUnit(hex));
            return;
        }
        Optional<NodeLock> lock = NodeLock.tryTake(cache.lock(hexOf(hex)));
        if (lock.isPresent()) {
            try (NodeLock _ = lock.get()) {
                Files.deleteIfExists(cache.path().resolve(item.name()));
            }
        }
    }

    private void unit(Path folder) throws IOException {
        String name = folder.getFileName().toString();
        if (CacheFolder.isGone(name)) {
            CacheFolder.delete(folder);
            return;
        }
        String half = CacheFolder.halfUnitOf(name);
        // Read first, because checking the lease creates its file.
        FileTime lastUse = lastUse(name, folder);
        boolean inUse = half == null ? leased(name) : locked(half, folder);
        if (half == null || inUse) {
            add(UNITS + name, lastUse, inUse, list(folder));
        }
    }

    private boolean leased(String hex) throws IOException {
        if (UnitLease.ifUnused(cache.lease(hex), () -> {})) {
            return false;
        }
        UnitLease.touch(cache.lease(hex), now);
        return true;
    }

    /** Whether a process is materialising this unit; if not, its folder is abandoned and deleted. */
    private boolean locked(String hex, Path half) throws IOException {
        Optional<NodeLock> lock = NodeLock.tryTake(cache.lock(hex));
        if (lock.isEmpty()) {
            return true;
        }
        try (NodeLock _ = lock.get()) {
            CacheFolder.delete(half);
            return false;
        }
    }

    private FileTime lastUse(String hex, Path folder) throws IOException {
        Path lease = cache.lease(hex);
        Path dated = Files.exists(lease) ? lease : folder;
        return Files.getLastModifiedTime(dated);
    }

    /** Blobs and parts that no unit links are evicted first. */
    private void loose(String folder, Path file) throws IOException {
        String name = file.getFileName().toString();
        boolean inUse;
        try {
            Optional<NodeLock> lock = NodeLock.tryTake(cache.lock(hexOf(name)));
            inUse = lock.isEmpty();
            if (!inUse) {
                lock.get().close();
            }
            // Older than any unit, and among themselves by age.
            long age = Files.getLastModifiedTime(file).toMillis();
            add(folder + name, FileTime.fromMillis(age - LONG_AGO), inUse, List.of(file));
        } catch (NoSuchFileException renamed) {
            // A part that has just been renamed to a blob.
        }
    }

    /** The notes of a part have its digest in their name, too. */
    private static String hexOf(String name) {
        int dot = name.indexOf('.', 1);
        return dot < 0 ? name : name.substring(0, dot);
    }

    private void add(String name, FileTime lastUse, boolean inUse, List<Path> files) throws IOException {
        Set<Object> keys = new HashSet<>();
        for (Path file : files) {
            Map<String, Object> read;
            try {
                read = Files.readAttributes(file, "unix:ino,nlink,size", LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException gone) {
                continue;
            }
            Object inode = read.get("ino");
            keys.add(inode);
            bytes.put(inode, ((Number) read.get("size")).longValue());
            links.put(inode, ((Number) read.get("nlink")).longValue());
            found.merge(inode, 1L, Long::sum);
        }
        items.add(new Eviction.Item(name, lastUse, inUse, keys));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (NoSuchFileException gone) {
            return List.of();
        }
    }
}
