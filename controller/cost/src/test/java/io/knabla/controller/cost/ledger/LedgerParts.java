package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A ledger's parts over one store and one clock. */
final class LedgerParts {
    static final Duration RETENTION = Duration.ofDays(90);
    static final Duration GRACE = Duration.ofHours(2);
    private static final AtomicInteger WRITERS = new AtomicInteger();
    private static final AtomicInteger IDS = new AtomicInteger();
    static final ParquetEngine.Factory DUCKDB = ParquetEngine.duckDb("128MB", 1);

    private final ObjectStore store;
    private final TestClock clock;
    private final Path temp;

    LedgerParts(ObjectStore store, TestClock clock, Path temp) {
        this.store = store;
        this.clock = clock;
        this.temp = temp;
    }

    LedgerParts over(ObjectStore other) {
        return new LedgerParts(other, clock, temp);
    }

    ObjectStore store() {
        return store;
    }

    static String writer() {
        return "w" + WRITERS.incrementAndGet();
    }

    Segments segments() {
        return new ObjectSegments(store, writer(), clock);
    }

    LedgerSettings settings() {
        return new LedgerSettings(temp, RETENTION, GRACE);
    }

    void append(UsageRecord... rows) {
        new Ledger(segments()).append(List.of(rows));
    }

    Compactor compactor(Segments segments) {
        Supplier<String> ids = () -> "t" + IDS.incrementAndGet();
        return new Compactor(store, segments, DUCKDB, settings(), clock, ids);
    }

    Compaction compact() {
        return compact(segments());
    }

    Compaction compact(Segments segments) {
        try {
            return compactor(segments).run();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Usage read() {
        return read(segments());
    }

    Usage read(Segments segments) {
        try {
            return new UsageReader(store, segments, DUCKDB, temp)
                    .rows(TestRows.FIVE.minus(Duration.ofDays(1)), TestRows.FIVE.plus(Duration.ofDays(1)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Retention.Deleted retain() {
        return new Retention(store, settings(), clock).run();
    }

    List<String> keys(String prefix) {
        try (var objects = store.list(prefix)) {
            return objects.map(object -> object.key().path()).toList();
        }
    }
}
