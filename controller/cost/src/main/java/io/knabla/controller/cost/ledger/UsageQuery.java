package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects the rows of one period, and what could not be read of it. */
final class UsageQuery {
    /**
     * A manifest whose files are gone was replaced meanwhile, and is read again; so often, no compactor replaces it.
     */
    private static final int MAX_REPLACED = 10;

    private final Manifests manifests;
    private final ParquetFiles files;
    private final Instant from;
    private final Instant until;
    private final HighestRevisions rows = new HighestRevisions();
    private final Set<Hour> hoursOfSegments = new HashSet<>();
    private final List<LedgerDamage> damages = new ArrayList<>();

    UsageQuery(ObjectStore store, Instant from, Instant until) {
        this.manifests = new Manifests(store);
        this.files = new ParquetFiles(store);
        this.from = from;
        this.until = until;
    }

    void readSegments(SegmentReader segments) {
        SegmentReader.Listing listing = segments.list();
        damages.addAll(listing.damages());
        for (SegmentName name : listing.names()) {
            segments.read(name).ifPresent(this::add);
        }
    }

    private void add(SegmentContents segment) {
        damages.addAll(segment.damages());
        for (Row row : segment.rows()) {
            if (row.start().isBefore(until)) {
                rows.add(row);
                hoursOfSegments.add(Hour.of(row.start()));
            }
        }
    }

    void readHours(UsageReader.LazyEngine engine, Path folder) throws IOException {
        for (Hour hour : manifests.list().keySet()) {
            if (hour.start().isBefore(until)) {
                readHour(hour, engine, folder);
            }
        }
    }

    private void readHour(Hour hour, UsageReader.LazyEngine engine, Path folder) throws IOException {
        List<LedgerDamage> found = List.of();
        for (int replaced = 0; replaced < MAX_REPLACED; replaced++) {
            switch (manifests.read(hour)) {
                case Manifests.Found.Damaged(LedgerDamage damage) -> found = List.of(damage);
                case Manifests.Found.Readable readable -> found = readFiles(hour, readable, engine, folder);
            }
            if (found.stream().noneMatch(damage -> damage.type() == LedgerDamage.Type.MISSING)) {
                break;
            }
        }
        damages.addAll(found);
    }

    /** A row of a segment may be older than that of a file whose records all ended before; so those are read, too. */
    private List<LedgerDamage> readFiles(
            Hour hour, Manifests.Found.Readable read, UsageReader.LazyEngine engine, Path folder) throws IOException {
        List<LedgerDamage> found = new ArrayList<>();
        for (Map.Entry<Kind, ParquetFile> file : read.manifest().files().entrySet()) {
            boolean over = file.getValue().lastEnd().map(from::isAfter).orElse(false);
            if (!over || hoursOfSegments.contains(hour)) {
                readFile(file.getKey(), file.getValue(), engine, folder).ifPresent(found::add);
            }
        }
        return found;
    }

    private Optional<LedgerDamage> readFile(Kind kind, ParquetFile file, UsageReader.LazyEngine engine, Path folder)
            throws IOException {
        Path local = folder.resolve("read.parquet");
        Optional<LedgerDamage> damage = files.download(file, local);
        if (damage.isPresent()) {
            return damage;
        }
        try {
            engine.get().read(kind, local, this::addFromFile);
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(new LedgerDamage(file.key().path(), LedgerDamage.Type.CORRUPT, unreadable.getMessage()));
        }
    }

    private void addFromFile(Row row) {
        if (row.overlaps(from, until) || rows.contains(row)) {
            rows.add(row);
        }
    }

    Collection<Row> rows() {
        return rows.rows();
    }

    List<LedgerDamage> damages() {
        return damages;
    }
}
