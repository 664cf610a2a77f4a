package io.knabla.controller.cost.ledger;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Deletes the Parquet files that their hour's manifest does not name. Before that it writes the manifest again, so that
 * a merge that began earlier, and may be about to name one of them, loses its race and begins again. Those of an hour
 * without a manifest are kept, because somebody may have deleted that.
 */
final class UnnamedFiles {
    private final ObjectStore store;
    private final Manifests manifests;
    private final Duration grace;

    /** What was read of unchanged manifests, so that a run reads only those that changed since the last. */
    private final Map<Hour, NamedFiles> read = new ConcurrentHashMap<>();

    UnnamedFiles(ObjectStore store, Duration grace) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.grace = grace;
    }

    private record NamedFiles(Optional<String> etag, Set<ObjectKey> keys) {}

    /** Returns how many files were deleted. */
    int delete(Instant now) {
        Map<Hour, Set<ObjectKey>> old = filesPastGrace(now);
        SortedMap<Hour, ObjectInfo> listed = manifests.list();
        read.keySet().retainAll(old.keySet());
        int deleted = 0;
        for (Map.Entry<Hour, Set<ObjectKey>> files : old.entrySet()) {
            Optional<ObjectInfo> manifest = Optional.ofNullable(listed.get(files.getKey()));
            if (manifest.filter(found -> isPastGrace(found, now)).isPresent()) {
                deleted += delete(files.getKey(), files.getValue(), manifest.map(ObjectInfo::etag));
            }
        }
        return deleted;
    }

    private Map<Hour, Set<ObjectKey>> filesPastGrace(Instant now) {
        Map<Hour, Set<ObjectKey>> files = new TreeMap<>();
        for (String prefix : Hour.files().toList()) {
            try (Stream<ObjectInfo> objects = store.list(prefix)) {
                objects.filter(object -> isPastGrace(object, now))
                        .map(ObjectInfo::key)
                        .forEach(key -> Hour.ofFile(prefix, key)
                                .ifPresent(hour -> files.computeIfAbsent(hour, any -> new HashSet<>())
                                        .add(key)));
            }
        }
        return files;
    }

    private boolean isPastGrace(ObjectInfo object, Instant now) {
        return object.modified().plus(grace).isBefore(now);
    }

    /** @param etag of the listed manifest; one that changed since is within its grace time */
    private int delete(Hour hour, Set<ObjectKey> files, Optional<String> etag) {
        NamedFiles known = read.get(hour);
        if (known != null && known.etag().equals(etag) && known.keys().containsAll(files)) {
            return 0;
        }
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged damaged -> 0;
            case Manifests.Found.Readable found when !found.etag().equals(etag) -> 0;
            case Manifests.Found.Readable found -> {
                read.put(hour, new NamedFiles(etag, found.manifest().keys()));
                yield deleteUnnamed(hour, files, found);
            }
        };
    }

    private int deleteUnnamed(Hour hour, Set<ObjectKey> files, Manifests.Found.Readable found) {
        Manifest manifest = found.manifest();
        List<ObjectKey> unnamed =
                files.stream().filter(key -> !manifest.keys().contains(key)).toList();
        if (unnamed.isEmpty() || manifest.schema() > Manifest.SCHEMA) {
            return 0;
        }
        boolean isFenced = manifests
                .replace(hour, found, manifest.next(manifest.files(), manifest.segments()))
                .isPresent();
        return isFenced ? (int) unnamed.stream().filter(store::delete).count() : 0;
    }
}
