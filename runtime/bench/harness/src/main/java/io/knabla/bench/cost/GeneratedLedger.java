package io.knabla.bench.cost;

import io.knabla.bench.report.Progress;
import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes a fleet's usage as the controller does: each hour is compacted into one Parquet file of each kind, and each
 * day.
 */
final class GeneratedLedger {
    private static final int HOURS_A_DAY = 24;

    private GeneratedLedger() {}

    /**
     * Returns the number of rows of each kind.
     *
     * @param folder gets the store, as {@code store}
     */
    static Map<RecordKind, Long> write(Path folder, UsageFleet.Shape shape, int hours, Progress progress)
            throws IOException {
        UsageFleet fleet = new UsageFleet(shape);
        Map<RecordKind, Long> counts = new EnumMap<>(RecordKind.class);
        try (ObjectStore store = FileObjectStore.open(folder.resolve("store"));
                GeneratedSegments segments = new GeneratedSegments()) {
            AtomicReference<Instant> now = new AtomicReference<>(UsageFleet.START);
            LedgerSettings settings = new LedgerSettings(
                    Files.createDirectories(folder.resolve("compaction")), Duration.ofDays(400), Duration.ofHours(2));
            Compactor compactor = new Compactor(
                    store, segments, ParquetEngine.duckDb("128MB", 2), settings, now::get, GeneratedLedger::name);
            for (int hour = 0; hour < hours; hour++) {
                List<UsageRecord> rows = fleet.hour(hour);
                rows.forEach(row -> counts.merge(row.kind(), 1L, Long::sum));
                segments.put(hour, rows);
                now.set(UsageFleet.START.plus(Duration.ofHours(hour + 1L)));
                compactor.run();
                if (hour % HOURS_A_DAY == 0) {
                    progress.report("wrote %,d rows"
                            .formatted(counts.values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()));
                }
            }
        }
        return counts;
    }

    private static String name() {
        return UUID.randomUUID().toString();
    }
}
