package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Deletes hours whose records all ended longer ago than the retention, and Parquet files that no manifest names. An
 * hour with a record that lasts is kept. The manifest goes first: it is replaced by an empty one, on condition that
 * nobody merged a late row meanwhile, then the files are deleted, and after the grace time the empty manifest.
 */
public final class Retention {
    private final ObjectStore store;
    private final Manifests manifests;
    private final LedgerSettings settings;
    private final InstantSource clock;

    public Retention(ObjectStore store, LedgerSettings settings, InstantSource clock) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.settings = settings;
        this.clock = clock;
    }

    /** What was deleted. */
    public record Deleted(int hours, int files) {}

    /** @throws io.knabla.storage.StorageException if the store fails; the next run goes on */
    public Deleted run() {
        Instant now = clock.instant();
        int hours = 0;
        for (Map.Entry<Hour, ObjectInfo> hour : manifests.list().entrySet()) {
            hours += expire(hour.getKey(), hour.getValue(), now) ? 1 : 0;
        }
        int files = 0;
        for (Kind kind : Kind.values()) {
            files += collect(kind, now);
        }
        return new Deleted(hours, files);
    }

    private boolean expire(Hour hour, ObjectInfo stored, Instant now) {
        Instant cutoff = now.minus(settings.retention());
        Optional<Manifests.Found.Readable> found = readable(hour);
        if (hour.end().isAfter(cutoff) || found.isEmpty()) {
            return false;
        }
        Manifest manifest = found.get().manifest();
        if (manifest.schema() > Manifest.SCHEMA || !manifest.endedBefore(cutoff)) {
            return false;
        }
        if (manifest.files().isEmpty()) {
            return forget(hour, stored, now);
        }
        if (manifests.replace(hour, found.get(), manifest.next(Map.of(), manifest.segments()))) {
            manifest.files().values().forEach(file -> store.delete(file.key()));
            return true;
        }
        return false;
    }

    /** Rows merged just now made another version of it; what this deletes is the one that was listed long ago. */
    private boolean forget(Hour hour, ObjectInfo stored, Instant now) {
        boolean same = store.stat(hour.manifest())
                .map(info -> info.etag().equals(stored.etag()))
                .orElse(false);
        if (same && isPastGrace(stored, now)) {
            store.delete(hour.manifest());
        }
        return false;
    }

    private int collect(Kind kind, Instant now) {
        List<ObjectKey> old;
        try (Stream<ObjectInfo> objects = store.list(Hour.files(kind))) {
            old = objects.filter(object -> isPastGrace(object, now))
                    .map(ObjectInfo::key)
                    .toList();
        }
        int deleted = 0;
        for (ObjectKey key : old) {
            Optional<Hour> hour = Hour.ofFile(kind, key);
            if (hour.isPresent() && isGarbage(hour.get(), key) && store.delete(key)) {
                deleted++;
            }
        }
        return deleted;
    }

    /** Read again for every file, so that the answer is new when the file is deleted. */
    private boolean isGarbage(Hour hour, ObjectKey key) {
        return readable(hour)
                .map(found -> found.manifest().schema() <= Manifest.SCHEMA
                        && !found.manifest().names(key))
                .orElse(false);
    }

    private boolean isPastGrace(ObjectInfo object, Instant now) {
        return object.modified().plus(settings.grace()).isBefore(now);
    }

    private Optional<Manifests.Found.Readable> readable(Hour hour) {
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged damaged -> Optional.empty();
            case Manifests.Found.Readable found -> Optional.of(found);
        };
    }
}
