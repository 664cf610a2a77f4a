package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * Finds out whether the ledger is whole: reads its segments and manifests, and looks whether the files are there whose
 * contents only a report reads. Needs no database.
 */
public final class LedgerCheck {
    private final ObjectStore store;
    private final SegmentReader segments;
    private final Manifests manifests;

    public LedgerCheck(ObjectStore store, SegmentReader segments) {
        this.store = store;
        this.segments = segments;
        this.manifests = new Manifests(store);
    }

    /**
     * Returns what is damaged or missing, whatever its age.
     *
     * @param until no hour starts later
     * @throws io.knabla.storage.StorageException if the store fails
     */
    public List<LedgerDamage> run(Instant until) {
        List<LedgerDamage> damages = new ArrayList<>();
        Set<Hour> unmerged = readSegments(damages);
        Set<ObjectKey> files = files();
        Set<Hour> hours = manifests.list().keySet();
        hours.stream()
                .gather(Gatherers.mapConcurrent(UsageQuery.MAX_CONCURRENT, hour -> ofHour(hour, files)))
                .forEach(damages::addAll);
        damages.addAll(new LostManifests(store)
                .find(Instant.EPOCH, until, hour -> hours.contains(hour) || unmerged.contains(hour)));
        return damages;
    }

    /** Returns the hours of their rows. */
    private Set<Hour> readSegments(List<LedgerDamage> damages) {
        SegmentReader.Listing listing = segments.list();
        damages.addAll(listing.damages());
        Set<Hour> hours = new HashSet<>();
        for (SegmentName name : listing.names()) {
            Optional<SegmentContents> contents = segments.read(name);
            contents.ifPresent(found -> {
                damages.addAll(found.damages());
                found.rows().forEach(row -> hours.add(Hour.of(row.start())));
            });
        }
        return hours;
    }

    private Set<ObjectKey> files() {
        return Hour.files()
                .flatMap(prefix -> {
                    try (Stream<ObjectInfo> objects = store.list(prefix)) {
                        return objects.map(ObjectInfo::key).toList().stream();
                    }
                })
                .collect(Collectors.toSet());
    }

    private List<LedgerDamage> ofHour(Hour hour, Set<ObjectKey> files) {
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged(LedgerDamage damage) -> List.of(damage);
            case Manifests.Found.Readable found -> missing(hour, found, files);
        };
    }

    /** A manifest that was replaced meanwhile may name newer files, or have named some that are deleted by now. */
    private List<LedgerDamage> missing(Hour hour, Manifests.Found.Readable found, Set<ObjectKey> files) {
        List<LedgerDamage> missing = found.manifest().keys().stream()
                .filter(key -> !files.contains(key) && store.stat(key).isEmpty())
                .map(key -> new LedgerDamage(
                        key.path(), LedgerDamage.Type.MISSING, "the manifest of its hour names it, and it is gone"))
                .toList();
        boolean isReplaced = !missing.isEmpty() && !manifests.read(hour).equals(found);
        return isReplaced ? List.of() : missing;
    }
}
