package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Merges the spooled rows of an hour with its current files, and replaces its manifest. */
final class HourMerge {
    /** The races that may be lost in one run; the next run begins again. */
    private static final int MAX_RACES = 10;

    /** For this long a segment that is not listed here may belong to a ledger in another machine's folder. */
    private static final Duration UNLISTED_SEGMENT_RETENTION = Duration.ofHours(3);

    private final ObjectStore store;
    private final Manifests manifests;
    private final ParquetFiles files;
    private final FilesWithoutManifest unmanaged;
    private final ParquetEngine engine;
    private final Path folder;
    private final LedgerSettings settings;
    private final InstantSource clock;
    private final Supplier<String> ids;

    HourMerge(
            ObjectStore store,
            ParquetEngine engine,
            Path folder,
            LedgerSettings settings,
            InstantSource clock,
            Supplier<String> ids) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.files = new ParquetFiles(store);
        this.unmanaged = new FilesWithoutManifest(store, engine, folder);
        this.engine = engine;
        this.folder = folder;
        this.settings = settings;
        this.clock = clock;
        this.ids = ids;
    }

    MergeOutcome run(HourSpool spool, Set<SegmentName> listed) throws IOException {
        for (int race = 0; race < MAX_RACES; race++) {
            Optional<MergeOutcome> outcome = switch (manifests.read(spool.hour())) {
                case Manifests.Found.Damaged(LedgerDamage damage) -> Optional.of(MergeOutcome.refused(damage));
                case Manifests.Found.Readable readable -> once(spool, readable, listed);
            };
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        return MergeOutcome.UNCHANGED;
    }

    /** Returns empty if another controller replaced the manifest first. */
    private Optional<MergeOutcome> once(HourSpool spool, Manifests.Found.Readable read, Set<SegmentName> listed)
            throws IOException {
        Manifest manifest = read.manifest();
        if (manifest.schema() > Manifest.SCHEMA) {
            return Optional.of(MergeOutcome.refused(newer(spool.hour(), manifest)));
        }
        Map<RecordKind, Path> old = new EnumMap<>(RecordKind.class);
        Optional<LedgerDamage> damage =
                read.etag().isPresent() ? download(spool, manifest, old) : collectUnmanaged(spool, old);
        if (damage.isPresent()) {
            return unreadable(spool.hour(), read, damage.get());
        }
        Instant begun = clock.instant();
        Map<RecordKind, ParquetFile> uploaded = upload(spool, old);
        if (clock.instant().isAfter(begun.plus(settings.maxMerge()))) {
            discard(uploaded.values());
            return Optional.of(MergeOutcome.UNCHANGED);
        }
        return commit(spool.hour(), read, next(manifest, uploaded, spool, listed), uploaded.values());
    }

    /** A file is missing if another controller replaced it, and its grace time is over: no damage, but a lost race. */
    private Optional<MergeOutcome> unreadable(Hour hour, Manifests.Found.Readable read, LedgerDamage damage) {
        boolean isMissing = damage.type() == LedgerDamage.Type.MISSING;
        return isMissing && !manifests.read(hour).equals(read)
                ? Optional.empty()
                : Optional.of(MergeOutcome.refused(damage));
    }

    private Optional<MergeOutcome> commit(
            Hour hour, Manifests.Found.Readable read, Manifest next, Collection<ParquetFile> uploaded) {
        Optional<Manifests.Found.Readable> written = manifests.replace(hour, read, next);
        if (written.isEmpty()) {
            discard(uploaded);
            return Optional.empty();
        }
        if (uploaded.stream().allMatch(files::exists)) {
            return Optional.of(MergeOutcome.REPLACED);
        }
        // Held up for so long that a retention deleted the new files: the old ones count until they are merged again.
        Manifest old = read.manifest();
        manifests.replace(hour, written.get(), next.next(old.files(), old.segments()));
        return Optional.empty();
    }

    private static LedgerDamage newer(Hour hour, Manifest manifest) {
        return new LedgerDamage(
                hour.manifest().path(),
                LedgerDamage.Type.NEWER,
                "it has schema version %d, this program writes %d".formatted(manifest.schema(), Manifest.SCHEMA));
    }

    private Optional<LedgerDamage> collectUnmanaged(HourSpool spool, Map<RecordKind, Path> old) {
        try {
            old.putAll(unmanaged.merged(spool));
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(new LedgerDamage(
                    spool.hour().manifest().path(),
                    LedgerDamage.Type.CORRUPT,
                    "it is gone, and the files of its hour cannot be merged: " + unreadable.getMessage()));
        }
    }

    private Optional<LedgerDamage> download(HourSpool spool, Manifest manifest, Map<RecordKind, Path> old)
            throws IOException {
        for (RecordKind kind : spool.lines().keySet()) {
            ParquetFile file = manifest.files().get(kind);
            if (file != null) {
                Path target = folder.resolve("old-" + kind.folder() + ".parquet");
                Optional<LedgerDamage> damage = files.download(file, target);
                if (damage.isPresent()) {
                    return damage;
                }
                old.put(kind, target);
            }
        }
        return Optional.empty();
    }

    private Map<RecordKind, ParquetFile> upload(HourSpool spool, Map<RecordKind, Path> old) throws IOException {
        Map<RecordKind, ParquetFile> uploaded = new EnumMap<>(RecordKind.class);
        for (Map.Entry<RecordKind, Path> lines : spool.lines().entrySet()) {
            RecordKind kind = lines.getKey();
            Path target = folder.resolve("new-" + kind.folder() + ".parquet");
            Files.deleteIfExists(target);
            ParquetEngine.Merged merged =
                    engine.merge(kind, lines.getValue(), Optional.ofNullable(old.get(kind)), target);
            ParquetFile file = files.upload(spool.hour().file(kind.folder(), ids.get()), target, merged);
            uploaded.put(kind, kind == RecordKind.REQUESTS ? withSums(spool.hour(), file, target) : file);
        }
        return uploaded;
    }

    private ParquetFile withSums(Hour hour, ParquetFile minutes, Path local) throws IOException {
        Path target = folder.resolve("new-" + Hour.REQUEST_SUMS + ".parquet");
        Files.deleteIfExists(target);
        ObjectKey key = hour.file(Hour.REQUEST_SUMS, ids.get());
        return minutes.with(files.upload(key, target, engine.sum(local, target)));
    }

    private Manifest next(
            Manifest manifest, Map<RecordKind, ParquetFile> uploaded, HourSpool spool, Set<SegmentName> listed) {
        Map<RecordKind, ParquetFile> all = new EnumMap<>(RecordKind.class);
        all.putAll(manifest.files());
        all.putAll(uploaded);
        Instant foreign = clock.instant().minus(UNLISTED_SEGMENT_RETENTION);
        Set<SegmentName> named = new HashSet<>(spool.segments());
        manifest.segments().stream()
                .filter(name -> listed.contains(name) || name.hour().isAfter(foreign))
                .forEach(named::add);
        return manifest.next(all, named);
    }

    /** No manifest will name them, and the garbage collection would find them otherwise. */
    private void discard(Collection<ParquetFile> uploaded) {
        uploaded.stream().flatMap(ParquetFile::all).forEach(file -> store.delete(file.key()));
    }
}
