package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.stopped;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestSum;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to the controller run on virtual threads, which the database refuses: the ledger runs it on others. */
class VirtualThreadsTest {
    private static final UsageRecord[] ROWS = {
        ended("a", FIVE, SIX, 0), stopped("r", FIVE, SIX), requests("r", FIVE, 3, 0)
    };

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        virtual.shutdownNow();
    }

    private UsageReader reader() {
        return new UsageReader(store, parts().segments(), LedgerParts.DUCKDB, temp);
    }

    @Test
    void hoursAndDaysAreMergedAndRead() throws Exception {
        parts().append(ROWS);
        clock.set(FIVE.plus(Duration.ofDays(2)));

        assertThat(virtual.submit(() -> parts().compact()).get()).isEqualTo(new Compaction(1, 0, List.of()));

        assertThat(parts().keys(Day.PREFIX)).isNotEmpty();
        assertThat(virtual.submit(() -> reader().rows(FIVE, SIX, EnumSet.allOf(RecordKind.class)))
                        .get()
                        .rows())
                .containsExactly(ROWS);
        PeriodUsage period = virtual.submit(() -> reader().period(FIVE, SIX, EnumSet.allOf(RequestSum.By.class)))
                .get();
        assertThat(period.nodes()).hasSize(1);
        assertThat(period.replicas()).hasSize(1);
        assertThat(period.requests()).isNotEmpty();
    }
}
