package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.duckdb.PlatformThreads;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.usage.RequestSum;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Calls a Parquet engine on platform threads, whatever thread the caller is. */
record EngineOnPlatformThreads(ParquetEngine engine, PlatformThreads threads) implements ParquetEngine {
    /** A few reports and a merge at once; each has a thread of the database's own besides. */
    private static final int MOST_THREADS = 4;

    private static final PlatformThreads SHARED = new PlatformThreads("knabla-duckdb-", MOST_THREADS);

    static ParquetEngine open(Factory factory, Path folder) throws IOException {
        return new EngineOnPlatformThreads(SHARED.run(() -> factory.open(folder)), SHARED);
    }

    @Override
    public Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) throws IOException {
        return threads.run(() -> engine.merge(kind, lines, old, target));
    }

    @Override
    public Merged sum(Path minutes, Path target) throws IOException {
        return threads.run(() -> engine.sum(minutes, target));
    }

    @Override
    public Merged concatenate(RecordKind kind, List<Path> files, Path target) throws IOException {
        return threads.run(() -> engine.concatenate(kind, files, target));
    }

    @Override
    public ParquetUsage read(Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums)
            throws IOException {
        return threads.run(() -> engine.read(files, from, until, sums));
    }

    @Override
    public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException {
        threads.run(() -> {
            engine.read(kind, file, rows);
            return null;
        });
    }

    @Override
    public void close() throws IOException {
        threads.run(() -> {
            engine.close();
            return null;
        });
    }
}
