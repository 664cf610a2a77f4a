package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestSum;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes and reads Parquet files of one folder. The only implementation is {@link DuckDbEngine}; nothing but
 * {@link #duckDb} names that class or the driver, so that a program that only appends rows never loads the database.
 */
public interface ParquetEngine extends AutoCloseable {
    /** Opens an engine that may read and write the files of one local folder, and nothing else. */
    @FunctionalInterface
    interface Factory {
        ParquetEngine open(Path folder) throws IOException;
    }

    /**
     * Returns engines of DuckDB, which any thread may call; nothing is loaded until one is opened.
     *
     * @param memoryLimit as DuckDB reads it, such as {@code 256MB}; beyond it, it spills into the folder
     * @param threads 1 or more
     */
    static Factory duckDb(String memoryLimit, int threads) {
        return folder -> EngineOnPlatformThreads.open(of -> DuckDbEngine.open(of, memoryLimit, threads), folder);
    }

    /**
     * Writes the rows of both files to a new one, of each id only the highest revision, ordered by start and id.
     *
     * @param lines file of JSON lines, see {@link io.knabla.controller.cost.ledger.row.RowJson}
     * @param old Parquet file of the same kind, of this or an older version
     * @param target Parquet file to create
     */
    Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) throws IOException;

    /**
     * Writes the sums of minutes of requests by quarter of an hour and version, ordered by these. A row has the columns
     * of a minute, which starts with the quarter and has neither id nor replica.
     *
     * @param minutes Parquet file of requests
     * @param target Parquet file to create
     */
    Merged sum(Path minutes, Path target) throws IOException;

    /**
     * Writes the rows of several files to one, ordered by their starts.
     *
     * @param files of any version, at least one, each row in one of them only
     * @param target Parquet file to create
     */
    Merged concatenate(RecordKind kind, List<Path> files, Path target) throws IOException;

    /**
     * Reads the rows of a period, see {@link io.knabla.controller.cost.ledger.row.Row#overlaps}; of requests only sums
     * of the minutes that start in it.
     *
     * @param files of any version, each row in one of them only; those of requests may be of {@link #sum}
     * @param sums each of them takes time; none are computed if this is empty
     */
    ParquetUsage read(Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums)
            throws IOException;

    /** Reads all rows of a Parquet file. */
    void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException;

    @Override
    void close() throws IOException;

    /**
     * What a merged file holds.
     *
     * @param lastEnd of its rows; empty if one of them lasts
     */
    record Merged(long rows, Optional<Instant> lastEnd) {}
}
