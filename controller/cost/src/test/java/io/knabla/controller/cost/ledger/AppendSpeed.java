package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measures how many rows a second become durable in a folder. No test by its name: run it with -Dtest=AppendSpeed. */
class AppendSpeed {
    private static final int ROWS = 400_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"1, 1000", "1, 1000", "4, 1000", "1, 100", "16, 100", "64, 10"})
    void appends(int callers, int rowsOfAnAppend) throws Exception {
        List<UsageRecord> batch = new ArrayList<>();
        for (int row = 0; row < rowsOfAnAppend; row++) {
            batch.add(TestRows.replica("replica-" + row, TestRows.FIVE, row, 0));
        }
        int rows = rowsOfAnAppend < 1000 ? ROWS / 4 : ROWS;
        int appends = rows / callers / rowsOfAnAppend;
        try (LocalSegments segments = LocalSegments.open(folder, "w", new TestClock(TestRows.FIVE), 64 << 20);
                ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            Ledger ledger = new Ledger(segments);
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                running.add(threads.submit(() -> {
                    for (int append = 0; append < appends; append++) {
                        ledger.append(batch);
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            long done = (long) appends * callers * rowsOfAnAppend;
            System.out.printf(
                    "%d callers, %d rows an append: %,d rows/s durable%n",
                    callers, rowsOfAnAppend, done * 1_000_000_000L / time.toNanos());
        }
    }
}
