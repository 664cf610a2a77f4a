package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Gatherers;

/** Finds the segments and files of one period, and what could not be read of it. */
final class UsageQuery {
    /**
     * A manifest whose files are gone was replaced meanwhile, and is read again; so often, no compactor replaces it.
     */
    private static final int MAX_REPLACED = 10;

    static final int MAX_CONCURRENT = 16;

    private final ObjectStore store;
    private final Manifests manifests;
    private final Instant from;
    private final Instant until;
    private final Set<RecordKind> kinds;
    private final PeriodVisitor target;
    private final Set<Hour> hoursOfSegments = new HashSet<>();

    /** Also those with rows of other kinds. */
    private final Set<Hour> hoursToMerge = new HashSet<>();

    private final List<LedgerDamage> damages = new ArrayList<>();

    UsageQuery(ObjectStore store, Instant from, Instant until, Set<RecordKind> kinds, PeriodVisitor target) {
        this.store = store;
        this.manifests = new Manifests(store);
        this.from = from;
        this.until = until;
        this.kinds = kinds;
        this.target = target;
    }

    /**
     * Hands all of the period to the target, and returns what could not be read. Segments first: one that is merged and
     * deleted after that is in the manifests, which are read later.
     */
    List<LedgerDamage> run(SegmentReader segments) throws IOException {
        readSegments(segments);
        readHours();
        return damages;
    }

    private void readSegments(SegmentReader segments) throws IOException {
        SegmentReader.Listing listing = segments.list();
        damages.addAll(listing.damages());
        for (SegmentName name : listing.names()) {
            Optional<SegmentContents> contents = segments.read(name);
            if (contents.isPresent()) {
                add(name, contents.get());
            }
        }
    }

    private void add(SegmentName name, SegmentContents segment) throws IOException {
        damages.addAll(segment.damages());
        segment.rows().forEach(row -> hoursToMerge.add(Hour.of(row.start())));
        List<UsageRecord> rows = segment.rows().stream()
                .filter(row -> kinds.contains(row.kind()) && !row.start().isAfter(until))
                .toList();
        rows.forEach(row -> hoursOfSegments.add(Hour.of(row.start())));
        target.add(name, rows);
    }

    /**
     * An hour long ago may have an interval that lasts, so the manifests of all hours or of their days are read, and at
     * once: there may be thousands.
     */
    private void readHours() throws IOException {
        try {
            SortedMap<Hour, ObjectInfo> hours = manifests.list();
            Set<Hour> ofDays = target.takesDays()
                    ? new DayQuery(store, from, until, kinds, target).run(hours, hoursOfSegments)
                    : Set.of();
            hours.keySet().stream()
                    .filter(hour -> !hour.start().isAfter(until) && !ofDays.contains(hour))
                    .gather(Gatherers.mapConcurrent(MAX_CONCURRENT, this::readHour))
                    .forEach(damages::addAll);
            damages.addAll(new LostManifests(store)
                    .find(from, until, hour -> hours.containsKey(hour) || hoursToMerge.contains(hour)));
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    private List<LedgerDamage> readHour(Hour hour) {
        try {
            List<LedgerDamage> found = readFiles(hour);
            for (int replaced = 1; replaced < MAX_REPLACED && isAnyMissing(found); replaced++) {
                found = readFiles(hour);
            }
            return found;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isAnyMissing(List<LedgerDamage> found) {
        return found.stream().anyMatch(damage -> damage.type() == LedgerDamage.Type.MISSING);
    }

    private List<LedgerDamage> readFiles(Hour hour) throws IOException {
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged(LedgerDamage damage) -> List.of(damage);
            case Manifests.Found.Readable readable -> {
                List<LedgerDamage> found = new ArrayList<>();
                for (Map.Entry<RecordKind, ParquetFile> file :
                        readable.manifest().files().entrySet()) {
                    if (mayOverlap(hour, file.getKey(), file.getValue())) {
                        target.add(hour, file.getKey(), file.getValue()).ifPresent(found::add);
                    }
                }
                yield found;
            }
        };
    }

    /** A row of a segment may be older than that of a file whose records all ended before; so those are read, too. */
    private boolean mayOverlap(Hour hour, RecordKind kind, ParquetFile file) {
        boolean over = file.lastEnd().map(from::isAfter).orElse(false);
        // Of the hour that starts at the end, only an empty interval belongs to the period; a minute is never empty.
        boolean begun = hour.start().isBefore(until) || kind != RecordKind.REQUESTS;
        return kinds.contains(kind) && begun && (!over || hoursOfSegments.contains(hour));
    }
}
