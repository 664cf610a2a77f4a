package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Merges the files of a day's hours, once all of its rows have ended, into one file of each kind: nodes, replicas and
 * sums of requests. Reports read these in place of hundreds of small ones. The hours stay what counts: a day's files
 * are of no use as soon as the manifest of an hour changes, and are deleted after the grace time.
 */
final class DayMerge {
    /** Days of one run; others wait for the next. */
    private static final int MAX_DAYS = 10;

    private final ObjectStore store;
    private final Manifests manifests;
    private final ParquetFiles files;
    private final ParquetEngine.Factory parquet;
    private final LedgerSettings settings;
    private final InstantSource clock;
    private final Supplier<String> ids;

    /** Stems of days that cannot be merged as they are, so that their manifests are not read in every run. */
    private final Set<String> refused = new HashSet<>();

    DayMerge(
            ObjectStore store,
            ParquetEngine.Factory parquet,
            LedgerSettings settings,
            InstantSource clock,
            Supplier<String> ids) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.files = new ParquetFiles(store);
        this.parquet = parquet;
        this.settings = settings;
        this.clock = clock;
        this.ids = ids;
    }

    void run() throws IOException {
        Instant now = clock.instant();
        List<Day> days = Day.of(manifests.list()).stream()
                .filter(day -> !day.end().isAfter(now))
                .toList();
        Set<String> stems = days.stream().map(Day::stem).collect(Collectors.toSet());
        Set<ObjectKey> stored = deleteOutdated(stems, now);
        refused.retainAll(stems);
        List<Day> due = days.stream()
                .filter(day -> !stored.contains(day.manifest()) && !refused.contains(day.stem()))
                .toList();
        int merged = 0;
        for (Day day : due) {
            merged += merged < MAX_DAYS && merge(day) ? 1 : 0;
        }
    }

    /** Returns the keys of the others. */
    private Set<ObjectKey> deleteOutdated(Set<String> current, Instant now) {
        Set<ObjectKey> stored = new HashSet<>();
        List<ObjectKey> outdated = new ArrayList<>();
        try (Stream<ObjectInfo> objects = store.list(Day.PREFIX)) {
            objects.forEach(object -> {
                boolean isCurrent = current.contains(Day.stemOf(object.key()));
                boolean isPastGrace = object.modified().plus(settings.grace()).isBefore(now);
                if (isCurrent || !isPastGrace) {
                    stored.add(object.key());
                } else {
                    outdated.add(object.key());
                }
            });
        }
        outdated.forEach(store::delete);
        return stored;
    }

    private boolean merge(Day day) throws IOException {
        Optional<Map<RecordKind, List<ParquetFile>>> hours = endedFiles(day);
        if (hours.isEmpty()) {
            refused.add(day.stem());
            return false;
        }
        try (TemporaryFolder folder = new TemporaryFolder(settings.temporaryFolder());
                ParquetEngine engine = parquet.open(folder.path())) {
            Map<RecordKind, ParquetFile> merged = new EnumMap<>(RecordKind.class);
            for (Map.Entry<RecordKind, List<ParquetFile>> ofKind : hours.get().entrySet()) {
                Optional<List<Path>> local = placed(ofKind.getValue(), folder.path());
                if (local.isEmpty()) {
                    discard(merged.values());
                    return false;
                }
                merged.put(ofKind.getKey(), upload(day, ofKind.getKey(), local.get(), engine, folder.path()));
            }
            return commit(day, merged);
        }
    }

    /** The files of a day's hours, of requests those of sums; empty if a row lasts or a manifest is another by now. */
    private Optional<Map<RecordKind, List<ParquetFile>>> endedFiles(Day day) {
        Map<RecordKind, List<ParquetFile>> ended = new EnumMap<>(RecordKind.class);
        for (Map.Entry<Hour, String> hour : day.hours().entrySet()) {
            if (!(manifests.read(hour.getKey()) instanceof Manifests.Found.Readable readable)
                    || !readable.etag().equals(Optional.of(hour.getValue()))
                    || readable.manifest().schema() > Manifest.SCHEMA) {
                return Optional.empty();
            }
            for (Map.Entry<RecordKind, ParquetFile> file :
                    readable.manifest().files().entrySet()) {
                Optional<ParquetFile> usable = usable(file.getKey(), file.getValue());
                if (usable.isEmpty()) {
                    return Optional.empty();
                }
                ended.computeIfAbsent(file.getKey(), kind -> new ArrayList<>()).add(usable.get());
            }
        }
        return Optional.of(ended);
    }

    private static Optional<ParquetFile> usable(RecordKind kind, ParquetFile file) {
        return switch (kind) {
            case NODE, REPLICA -> file.lastEnd().map(end -> file);
            case REQUESTS -> file.sums();
        };
    }

    private Optional<List<Path>> placed(List<ParquetFile> hours, Path folder) throws IOException {
        List<Path> placed = new ArrayList<>();
        for (ParquetFile file : hours) {
            Path local = folder.resolve(file.key().path().replace('/', '-'));
            if (files.place(file, local).isPresent()) {
                return Optional.empty();
            }
            placed.add(local);
        }
        return Optional.of(placed);
    }

    private ParquetFile upload(Day day, RecordKind kind, List<Path> hours, ParquetEngine engine, Path folder)
            throws IOException {
        Path target = folder.resolve("day-" + kind.folder() + ".parquet");
        ParquetEngine.Merged merged = engine.concatenate(kind, hours, target);
        return files.upload(day.file(kind.folder(), ids.get()), target, merged);
    }

    /** Another controller may have merged the same manifests: its files are as good, and these are deleted. */
    private boolean commit(Day day, Map<RecordKind, ParquetFile> merged) throws IOException {
        Manifest manifest = Manifest.EMPTY.next(merged, Set.of());
        boolean isFirst = store.createOnce(day.manifest(), Content.of(ManifestJson.encode(manifest)))
                .isPresent();
        if (!isFirst) {
            discard(merged.values());
        }
        return isFirst;
    }

    private void discard(Collection<ParquetFile> uploaded) {
        uploaded.forEach(file -> store.delete(file.key()));
    }
}
