package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.controller.cost.ledger.segment.Segments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Gatherers;

/**
 * Takes usage rows, acknowledges them when they are durable, and returns the newest. Thread-safe; callers share
 * flushes.
 */
public final class Ledger {
    /** In a store, reading a segment is one request. */
    private static final int MAX_CONCURRENT = 16;

    private final Segments segments;

    /** @param segments stay open when this is no more used */
    public Ledger(Segments segments) {
        this.segments = segments;
    }

    /**
     * Returns when the rows are durable; no rows, no write. To append a row again changes nothing.
     *
     * @throws IllegalArgumentException if a value is outside of its bounds; then none of the rows is written
     * @throws io.knabla.storage.StorageException if it is not known whether they are durable; append them again
     */
    public void append(List<UsageRecord> rows) {
        if (!rows.isEmpty()) {
            segments.append(SegmentContents.encode(rows));
        }
    }

    /**
     * Returns the rows that are not merged yet, which are at least those of this hour, and what could not be read.
     * Needs no database.
     *
     * @throws io.knabla.storage.StorageException if the store fails
     */
    public Usage unmerged() {
        SegmentReader.Listing listing = segments.list();
        List<LedgerDamage> damages = new ArrayList<>(listing.damages());
        LatestRecords rows = new LatestRecords();
        listing.names().stream()
                .gather(Gatherers.mapConcurrent(MAX_CONCURRENT, segments::read))
                .flatMap(Optional::stream)
                .forEach(segment -> {
                    damages.addAll(segment.damages());
                    segment.rows().forEach(rows::add);
                });
        return new Usage(List.copyOf(rows.rows()), damages);
    }
}
