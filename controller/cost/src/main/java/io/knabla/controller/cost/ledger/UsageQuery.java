package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.controller.cost.ledger.row.RowFormatException;
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
import java.util.stream.Gatherers;

/** Collects the rows of one period, and what could not be read of it. */
final class UsageQuery {
    /**
     * A manifest whose files are gone was replaced meanwhile, and is read again; so often, no compactor replaces it.
     */
    private static final int MAX_REPLACED = 10;

    private static final int MAX_CONCURRENT = 16;

    private final Manifests manifests;
    private final ParquetFiles files;
    private final Instant from;
    private final Instant until;
    private final Set<Kind> kinds;
    private final HighestRevisions rows = new HighestRevisions();
    private final Set<Hour> hoursOfSegments = new HashSet<>();
    private final List<LedgerDamage> damages = new ArrayList<>();

    UsageQuery(ObjectStore store, Instant from, Instant until, Set<Kind> kinds) {
        this.manifests = new Manifests(store);
        this.files = new ParquetFiles(store);
        this.from = from;
        this.until = until;
        this.kinds = kinds;
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
            if (kinds.contains(row.kind()) && !row.start().isAfter(until)) {
                rows.add(row);
                hoursOfSegments.add(Hour.of(row.start()));
            }
        }
    }

    void readHours(UsageReader.LazyEngine engine, Path folder) throws IOException {
        List<Hour> hours = manifests.list().keySet().stream()
                .filter(hour -> !hour.start().isAfter(until))
                .toList();
        // An hour long ago may have an interval that lasts, so all manifests are read, and at once: there are
        // thousands.
        List<Manifests.Found> found = hours.stream()
                .gather(Gatherers.mapConcurrent(MAX_CONCURRENT, manifests::read))
                .toList();
        for (int index = 0; index < hours.size(); index++) {
            readHour(hours.get(index), found.get(index), engine, folder);
        }
    }

    private void readHour(Hour hour, Manifests.Found first, UsageReader.LazyEngine engine, Path folder)
            throws IOException {
        List<LedgerDamage> found = readFiles(hour, first, engine, folder);
        for (int replaced = 1; replaced < MAX_REPLACED && isAnyMissing(found); replaced++) {
            found = readFiles(hour, manifests.read(hour), engine, folder);
        }
        damages.addAll(found);
    }

    private static boolean isAnyMissing(List<LedgerDamage> found) {
        return found.stream().anyMatch(damage -> damage.type() == LedgerDamage.Type.MISSING);
    }

    private List<LedgerDamage> readFiles(
            Hour hour, Manifests.Found manifest, UsageReader.LazyEngine engine, Path folder) throws IOException {
        return switch (manifest) {
            case Manifests.Found.Damaged(LedgerDamage damage) -> List.of(damage);
            case Manifests.Found.Readable readable -> {
                List<LedgerDamage> found = new ArrayList<>();
                for (Map.Entry<Kind, ParquetFile> file :
                        readable.manifest().files().entrySet()) {
                    if (mayOverlap(hour, file.getKey(), file.getValue())) {
                        readFile(file.getKey(), file.getValue(), engine, folder).ifPresent(found::add);
                    }
                }
                yield found;
            }
        };
    }

    /** A row of a segment may be older than that of a file whose records all ended before; so those are read, too. */
    private boolean mayOverlap(Hour hour, Kind kind, ParquetFile file) {
        boolean over = file.lastEnd().map(from::isAfter).orElse(false);
        // Of the hour that starts at the end, only an empty interval belongs to the period; a minute is never empty.
        boolean begun = hour.start().isBefore(until) || kind != Kind.REQUESTS;
        return kinds.contains(kind) && begun && (!over || hoursOfSegments.contains(hour));
    }

    /** The file's bytes are those that the manifest names, so only their meaning can be damaged. */
    private Optional<LedgerDamage> readFile(Kind kind, ParquetFile file, UsageReader.LazyEngine engine, Path folder)
            throws IOException {
        Path local = folder.resolve("read.parquet");
        Optional<LedgerDamage> damage = files.download(file, local);
        if (damage.isPresent()) {
            return damage;
        }
        String key = file.key().path();
        try {
            engine.get().read(kind, local, this::addFromFile);
            return Optional.empty();
        } catch (RowFormatException bad) {
            return Optional.of(new LedgerDamage(key, LedgerDamage.Type.CORRUPT, bad.getMessage()));
        } catch (IOException failed) {
            throw new IOException("the usage in %s cannot be read: %s".formatted(key, failed.getMessage()), failed);
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
