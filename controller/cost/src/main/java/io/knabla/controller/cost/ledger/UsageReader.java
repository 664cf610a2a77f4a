package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.Kind;
import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.controller.cost.ledger.segment.SegmentReader;
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
    private static final Comparator<Row> ORDER =
            Comparator.comparing(Row::kind).thenComparing(Row::start).thenComparing(Row::id);

    private final ObjectStore store;
    private final SegmentReader segments;
    private final ParquetEngine.Factory parquet;
    private final Path temporaryFolder;

    /** @param temporaryFolder see {@link LedgerSettings#temporaryFolder} */
    public UsageReader(ObjectStore store, SegmentReader segments, ParquetEngine.Factory parquet, Path temporaryFolder) {
        this.store = store;
        this.segments = segments;
        this.parquet = parquet;
        this.temporaryFolder = temporaryFolder;
    }

    /** Returns the records of all kinds, see {@link #rows(Instant, Instant, Set)}. */
    public Usage rows(Instant from, Instant until) throws IOException {
        return rows(from, until, EnumSet.allOf(Kind.class));
    }

    /**
     * Returns the records of {@link Row#overlaps this time}, whole; what cannot be read is named in the result. They
     * are in memory all at once, so ask for the minutes of requests only where they are needed.
     *
     * @param kinds the only ones that are read
     * @throws io.knabla.storage.StorageException if the store fails
     * @throws IOException if the temporary folder or DuckDB fails
     */
    public Usage rows(Instant from, Instant until, Set<Kind> kinds) throws IOException {
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException(
                    "usage is read from a time until a later one, but %s is not before %s".formatted(from, until));
        }
        UsageQuery reading = new UsageQuery(store, from, until, Set.copyOf(kinds));
        // Segments first: one that is merged and deleted after that is in the manifests, which are read later.
        reading.readSegments(segments);
        try (TemporaryFolder folder = new TemporaryFolder(temporaryFolder);
                LazyEngine engine = new LazyEngine(parquet, folder.path())) {
            reading.readHours(engine, folder.path());
        }
        List<Row> rows = reading.rows().stream()
                .filter(row -> row.overlaps(from, until))
                .sorted(ORDER)
                .toList();
        return new Usage(rows, reading.damages());
    }

    /** Opens the engine at the first file: a reading without Parquet files does not load the database. */
    static final class LazyEngine implements AutoCloseable {
        private final ParquetEngine.Factory factory;
        private final Path folder;
        private ParquetEngine engine;

        LazyEngine(ParquetEngine.Factory factory, Path folder) {
            this.factory = factory;
            this.folder = folder;
        }

        ParquetEngine get() throws IOException {
            if (engine == null) {
                engine = factory.open(folder);
            }
            return engine;
        }

        @Override
        public void close() throws IOException {
            if (engine != null) {
                engine.close();
            }
        }
    }
}
