package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** Finds the files of days that stand for those of all of their hours, see {@link DayMerge}. */
final class DayQuery {
    private final ObjectStore store;
    private final Instant from;
    private final Instant until;
    private final Set<RecordKind> kinds;
    private final PeriodVisitor target;

    DayQuery(ObjectStore store, Instant from, Instant until, Set<RecordKind> kinds, PeriodVisitor target) {
        this.store = store;
        this.from = from;
        this.until = until;
        this.kinds = kinds;
        this.target = target;
    }

    /**
     * Hands the files to the target and returns the hours that they stand for. A day that cannot be read is left to its
     * hours.
     *
     * @param manifests of all hours
     * @param unmerged hours with rows that are in no file
     */
    Set<Hour> run(SortedMap<Hour, ObjectInfo> manifests, Set<Hour> unmerged) {
        Set<ObjectKey> stored = stored();
        List<Day> days = Day.of(manifests).stream()
                .filter(day -> isWhole(day) && Collections.disjoint(day.hours().keySet(), unmerged))
                .filter(day -> stored.contains(day.manifest()))
                .toList();
        return days.stream()
                .gather(Gatherers.mapConcurrent(UsageQuery.MAX_CONCURRENT, this::hoursRead))
                .flatMap(Collection::stream)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** A part of a day needs its minutes; of a day before the period only intervals are needed, if any. */
    private boolean isWhole(Day day) {
        return !day.end().isAfter(until)
                && (!day.start().isBefore(from) || !day.end().isAfter(from));
    }

    private Set<ObjectKey> stored() {
        try (Stream<ObjectInfo> objects = store.list(Day.PREFIX)) {
            return objects.map(ObjectInfo::key).collect(Collectors.toSet());
        }
    }

    private Set<Hour> hoursRead(Day day) {
        Optional<Manifest> manifest = store.read(day.manifest()).flatMap(DayQuery::decode);
        if (manifest.isEmpty()) {
            return Set.of();
        }
        try {
            return target.add(needed(manifest.get())) ? day.hours().keySet() : Set.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Optional<Manifest> decode(StoredObject stored) {
        try {
            return Optional.of(ManifestJson.decode(stored.bytes()));
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }

    private Map<RecordKind, ParquetFile> needed(Manifest manifest) {
        Map<RecordKind, ParquetFile> needed = new EnumMap<>(RecordKind.class);
        manifest.files().forEach((kind, file) -> {
            boolean over = file.lastEnd().map(from::isAfter).orElse(false);
            if (kinds.contains(kind) && !over) {
                needed.put(kind, file);
            }
        });
        return needed;
    }
}
