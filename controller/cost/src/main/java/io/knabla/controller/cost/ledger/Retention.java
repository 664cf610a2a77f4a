package io.knabla.controller.cost.ledger;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes hours whose records all ended longer ago than the retention, and Parquet files that their hour's manifest
 * does not name; these first, because a manifest that is forgotten must not leave any. An hour with a record that lasts
 * is kept. The manifest goes first: it is replaced by an empty one, on condition that nobody merged a late row
 * meanwhile, then the files are deleted, and after the grace time the empty manifest.
 */
public final class Retention {
    private final ObjectStore store;
    private final Manifests manifests;
    private final LedgerSettings settings;
    private final InstantSource clock;
    private final UnnamedFiles unnamedFiles;

    public Retention(ObjectStore store, LedgerSettings settings, InstantSource clock) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.settings = settings;
        this.clock = clock;
        this.unnamedFiles = new UnnamedFiles(store, settings.grace());
    }

    /** What was deleted. */
    public record Deleted(int hours, int files) {}

    /** @throws io.knabla.storage.StorageException if the store fails; the next run goes on */
    public Deleted run() {
        Instant now = clock.instant();
        int files = unnamedFiles.delete(now);
        int hours = 0;
        for (Map.Entry<Hour, ObjectInfo> hour : manifests.list().entrySet()) {
            hours += expire(hour.getKey(), hour.getValue(), now) ? 1 : 0;
        }
        return new Deleted(hours, files);
    }

    private boolean expire(Hour hour, ObjectInfo stored, Instant now) {
        Instant cutoff = now.minus(settings.retention());
        if (hour.end().isAfter(cutoff)) {
            return false;
        }
        Optional<Manifests.Found.Readable> found = readable(hour);
        if (found.isEmpty()) {
            return false;
        }
        Manifest manifest = found.get().manifest();
        if (manifest.schema() > Manifest.SCHEMA || !manifest.endedBefore(cutoff)) {
            return false;
        }
        if (manifest.files().isEmpty()) {
            return forget(hour, stored, now);
        }
        if (manifests
                .replace(hour, found.get(), manifest.next(Map.of(), manifest.segments()))
                .isPresent()) {
            manifest.keys().forEach(store::delete);
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
