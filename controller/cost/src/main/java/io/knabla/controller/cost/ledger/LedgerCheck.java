package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * Finds damaged and missing files of the usage ledger: reads its segments and manifests, and compares the sizes of its
 * Parquet files, whose contents only a report reads. Needs no database.
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
        Map<ObjectKey, Long> sizes = sizes();
        Set<Hour> hours = manifests.list().keySet();
        hours.stream()
                .gather(Gatherers.mapConcurrent(UsageQuery.MAX_CONCURRENT, hour -> ofHour(hour, sizes)))
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

    private Map<ObjectKey, Long> sizes() {
        return Hour.files()
                .flatMap(prefix -> {
                    try (Stream<ObjectInfo> objects = store.list(prefix)) {
                        return objects.toList().stream();
                    }
                })
                .collect(Collectors.toMap(ObjectInfo::key, ObjectInfo::size));
    }

    private List<LedgerDamage> ofHour(Hour hour, Map<ObjectKey, Long> sizes) {
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged(LedgerDamage damage) -> List.of(damage);
            case Manifests.Found.Readable found -> damaged(hour, found, sizes);
        };
    }

    /** A manifest that was replaced meanwhile may name newer files, or have named some that are deleted by now. */
    private List<LedgerDamage> damaged(Hour hour, Manifests.Found.Readable found, Map<ObjectKey, Long> sizes) {
        List<LedgerDamage> damaged = found.manifest().files().values().stream()
                .flatMap(ParquetFile::all)
                .flatMap(file -> damage(file, sizes).stream())
                .toList();
        boolean isReplaced = !damaged.isEmpty() && !manifests.read(hour).equals(found);
        return isReplaced ? List.of() : damaged;
    }

    private Optional<LedgerDamage> damage(ParquetFile file, Map<ObjectKey, Long> sizes) {
        Optional<Long> size = Optional.ofNullable(sizes.get(file.key()))
                .or(() -> store.stat(file.key()).map(ObjectInfo::size));
        if (size.isEmpty()) {
            return damage(file, LedgerDamage.Type.MISSING, "the manifest of its hour names it, and it is gone");
        }
        return size.get() == file.bytes()
                ? Optional.empty()
                : damage(
                        file,
                        LedgerDamage.Type.CORRUPT,
                        "it has %,d bytes, but %,d were written".formatted(size.get(), file.bytes()));
    }

    private static Optional<LedgerDamage> damage(ParquetFile file, LedgerDamage.Type type, String detail) {
        return Optional.of(new LedgerDamage(file.key().path(), type, detail));
    }
}
