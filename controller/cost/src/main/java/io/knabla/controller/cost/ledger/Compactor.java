package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Merges segments whose hour is over into one Parquet file for every hour and kind, and hours into days, see
 * {@link DayMerge}. Any number of controllers may do so at once, and stop at any point: merging a row twice changes
 * nothing, since the highest revision of an id is kept; a manifest is replaced only if it is the one that was read; and
 * a segment is deleted by a later run, which finds it named by the manifests of all its hours and their files present.
 * What cannot be read is left where it is.
 */
public final class Compactor {
    private final ObjectStore store;
    private final Segments segments;
    private final ParquetEngine.Factory parquet;
    private final LedgerSettings settings;
    private final InstantSource clock;
    private final Supplier<String> ids;
    private final DayMerge days;

    /** @param ids parts of file names, of {@code [a-z0-9-]}, never the same twice on any machine */
    public Compactor(
            ObjectStore store,
            Segments segments,
            ParquetEngine.Factory parquet,
            LedgerSettings settings,
            InstantSource clock,
            Supplier<String> ids) {
        this.store = store;
        this.segments = segments;
        this.parquet = parquet;
        this.settings = settings;
        this.clock = clock;
        this.ids = ids;
        this.days = new DayMerge(store, parquet, settings, clock, ids);
    }

    /**
     * Deletes the segments that an earlier run merged, merges the others, and then the days whose rows have all ended.
     *
     * @throws io.knabla.storage.StorageException if the store fails; the next run goes on
     * @throws IOException if the temporary folder or DuckDB fails; the next run goes on
     */
    public Compaction run() throws IOException {
        try (TemporaryFolder folder = new TemporaryFolder(settings.temporaryFolder())) {
            SegmentScan scan = new SegmentScan(
                    store, segments, folder.path(), clock.instant().minus(settings.retention()));
            scan.run();
            int merged = 0;
            if (!scan.spools().isEmpty()) {
                merged = merge(folder, scan);
            }
            days.run();
            return new Compaction(merged, scan.deleted(), scan.damages());
        }
    }

    private int merge(TemporaryFolder folder, SegmentScan scan) throws IOException {
        int merged = 0;
        try (ParquetEngine engine = parquet.open(folder.path())) {
            HourMerge merge = new HourMerge(store, engine, folder.path(), settings, clock, ids);
            for (HourSpool spool : scan.spools()) {
                MergeOutcome outcome = merge.run(spool, scan.listed());
                merged += outcome.replaced() ? 1 : 0;
                scan.damages().addAll(outcome.damages());
            }
        }
        return merged;
    }
}
