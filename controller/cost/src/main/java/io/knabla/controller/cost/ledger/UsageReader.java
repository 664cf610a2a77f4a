package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.parquet.ParquetUsage;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
import io.knabla.controller.usage.RequestSum;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reads usage: the Parquet files that manifests name, and the segments that are not merged. Every row that was
 * acknowledged before a reading starts is in it once, also while others append, merge and delete.
 */
public final class UsageReader {
    private static final Comparator<UsageRecord> ORDER = Comparator.comparing(UsageRecord::kind)
            .thenComparing(UsageRecord::start)
            .thenComparing(UsageRecord::id);

    private final ObjectStore store;
    private final SegmentReader segments;
    private final ParquetEngine.Factory parquet;
    private final Path temporaryFolder;
    private final ParquetFiles files;

    /** @param temporaryFolder see {@link LedgerSettings#temporaryFolder} */
    public UsageReader(ObjectStore store, SegmentReader segments, ParquetEngine.Factory parquet, Path temporaryFolder) {
        this.store = store;
        this.segments = segments;
        this.parquet = parquet;
        this.temporaryFolder = temporaryFolder;
        this.files = new ParquetFiles(store);
    }

    /** Returns the records of all kinds, see {@link #rows(Instant, Instant, Set)}. */
    public Usage rows(Instant from, Instant until) throws IOException {
        return rows(from, until, EnumSet.allOf(RecordKind.class));
    }

    /**
     * Returns the records of {@link UsageRecord#overlaps this time}, whole; what cannot be read is named in the result.
     * They are in memory all at once, so ask for the minutes of requests only where they are needed.
     *
     * @param kinds the only ones that are read
     * @throws io.knabla.storage.StorageException if the store fails
     * @throws IOException if the temporary folder or DuckDB fails
     */
    public Usage rows(Instant from, Instant until, Set<RecordKind> kinds) throws IOException {
        requireOrder(from, until);
        try (TemporaryFolder folder = new TemporaryFolder(temporaryFolder);
                PeriodRecords collector = new PeriodRecords(store, parquet, folder.path(), from, until)) {
            List<LedgerDamage> damages = new UsageQuery(store, from, until, Set.copyOf(kinds), collector).run(segments);
            List<UsageRecord> rows = collector.rows().stream()
                    .filter(row -> row.overlaps(from, until))
                    .sorted(ORDER)
                    .toList();
            return new Usage(rows, damages);
        }
    }

    /**
     * Returns the same usage as reports need it, by far faster and in less memory: the intervals, and the minutes only
     * as sums. A row that is none is named in the result.
     *
     * @param sums what the minutes are summed by; none are read if it is empty
     * @throws io.knabla.storage.StorageException if the store fails
     * @throws IOException if the temporary folder or DuckDB fails
     */
    public PeriodUsage period(Instant from, Instant until, Set<RequestSum.By> sums) throws IOException {
        requireOrder(from, until);
        Set<RecordKind> kinds =
                sums.isEmpty() ? EnumSet.of(RecordKind.NODE, RecordKind.REPLICA) : EnumSet.allOf(RecordKind.class);
        try (TemporaryFolder folder = new TemporaryFolder(temporaryFolder)) {
            PeriodFiles collector = new PeriodFiles(files, folder.path(), from, until);
            List<LedgerDamage> damages = new UsageQuery(store, from, until, kinds, collector).run(segments);
            if (collector.isEmpty()) {
                return new PeriodUsage(List.of(), List.of(), List.of(), damages);
            }
            try (ParquetEngine engine = parquet.open(folder.path())) {
                ParquetUsage rows = engine.read(collector.merged(engine), from, until, sums);
                rows.unreadable()
                        .forEach(row -> damages.add(new LedgerDamage("usage", LedgerDamage.Type.CORRUPT, row)));
                return new PeriodUsage(rows.nodes(), rows.replicas(), rows.requests(), damages);
            }
        }
    }

    private static void requireOrder(Instant from, Instant until) {
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException(
                    "usage is read from a time until a later one, but %s is not before %s".formatted(from, until));
        }
    }
}
