package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.duckdb.PlatformThreads;
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
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Calls a Parquet engine on platform threads, whatever thread the caller is. A caller that is interrupted leaves while
 * its call still runs, so the engine is closed when all calls have ended: DuckDB's driver deadlocks otherwise.
 *
 * @param calls read-locked by each call, write-locked by the close
 */
record EngineOnPlatformThreads(ParquetEngine engine, PlatformThreads threads, ReadWriteLock calls)
        implements ParquetEngine {
    /** A few reports and a merge at once; each has a thread of the database's own besides. */
    private static final int MOST_THREADS = 4;

    private static final PlatformThreads SHARED = new PlatformThreads("knabla-duckdb-", MOST_THREADS);

    static ParquetEngine open(Factory factory, Path folder) throws IOException {
        return new EngineOnPlatformThreads(
                SHARED.run(() -> factory.open(folder)), SHARED, new ReentrantReadWriteLock());
    }

    private <T> T call(PlatformThreads.Work<T> work) throws IOException {
        return threads.run(() -> {
            calls.readLock().lock();
            try {
                return work.run();
            } finally {
                calls.readLock().unlock();
            }
        });
    }

    @Override
    public Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) throws IOException {
        return call(() -> engine.merge(kind, lines, old, target));
    }

    @Override
    public Merged sum(Path minutes, Path target) throws IOException {
        return call(() -> engine.sum(minutes, target));
    }

    @Override
    public Merged concatenate(RecordKind kind, List<Path> files, Path target) throws IOException {
        return call(() -> engine.concatenate(kind, files, target));
    }

    @Override
    public ParquetUsage read(Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums)
            throws IOException {
        return call(() -> engine.read(files, from, until, sums));
    }

    @Override
    public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException {
        call(() -> {
            engine.read(kind, file, rows);
            return null;
        });
    }

    @Override
    public void close() throws IOException {
        threads.run(() -> {
            calls.writeLock().lock();
            try {
                engine.close();
            } finally {
                calls.writeLock().unlock();
            }
            return null;
        });
    }
}
