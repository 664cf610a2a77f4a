package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the complete segments once: deletes those that are merged, and spools the rows of the others by hour. */
final class SegmentScan {
    private final ObjectStore store;
    private final Segments segments;
    private final Manifests manifests;
    private final Path folder;
    private final Instant cutoff;
    private final Set<SegmentName> listed;
    private final Map<Hour, Set<SegmentName>> merged = new HashMap<>();
    private final SortedMap<Hour, HourSpool> spools = new TreeMap<>();
    private final List<LedgerDamage> damages;
    private int deleted;

    /** @param cutoff a damaged segment is kept for a look at it until its hour is before this */
    SegmentScan(ObjectStore store, Segments segments, Path folder, Instant cutoff) {
        this.store = store;
        this.segments = segments;
        this.manifests = new Manifests(store);
        this.folder = folder;
        this.cutoff = cutoff;
        SegmentReader.Listing listing = segments.list();
        this.listed = Set.copyOf(listing.names());
        this.damages = new ArrayList<>(listing.damages());
    }

    void run() throws IOException {
        for (SegmentName name : segments.ended()) {
            Optional<SegmentContents> contents = segments.read(name);
            if (contents.isPresent()) {
                add(name, contents.get());
            }
        }
    }

    private void add(SegmentName name, SegmentContents contents) throws IOException {
        damages.addAll(contents.damages());
        if (contents.isNewer()) {
            return;
        }
        Map<Hour, List<UsageRecord>> byHour =
                contents.rows().stream().collect(Collectors.groupingBy(row -> Hour.of(row.start())));
        boolean allMerged = true;
        for (Map.Entry<Hour, List<UsageRecord>> hour : byHour.entrySet()) {
            if (!isMerged(hour.getKey(), name)) {
                allMerged = false;
                spools.computeIfAbsent(hour.getKey(), start -> new HourSpool(folder, start))
                        .add(name, hour.getValue());
            }
        }
        if (allMerged && (contents.isWhole() || name.hour().isBefore(cutoff))) {
            segments.delete(name);
            deleted++;
        }
    }

    private boolean isMerged(Hour hour, SegmentName name) {
        return merged.computeIfAbsent(hour, this::segmentsIn).contains(name);
    }

    /** Segments that the hour's manifest names, if what it says can be believed. */
    private Set<SegmentName> segmentsIn(Hour hour) {
        return switch (manifests.read(hour)) {
            case Manifests.Found.Damaged damaged -> Set.of();
            case Manifests.Found.Readable readable ->
                readable.manifest().keys().stream()
                                .allMatch(key -> store.stat(key).isPresent())
                        ? readable.manifest().segments()
                        : Set.of();
        };
    }

    Set<SegmentName> listed() {
        return listed;
    }

    Collection<HourSpool> spools() {
        return spools.values();
    }

    List<LedgerDamage> damages() {
        return damages;
    }

    int deleted() {
        return deleted;
    }
}
