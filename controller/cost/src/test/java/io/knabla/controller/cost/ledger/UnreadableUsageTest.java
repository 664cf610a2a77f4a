package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.parquet.ParquetUsage;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.usage.RequestSum;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that fails says nothing about the files: their bytes are those that their manifest names. */
class UnreadableUsageTest {
    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    @BeforeEach
    void mergeAnHour() {
        LedgerParts parts = new LedgerParts(store, clock, temp);
        parts.append(ended("a", FIVE, SIX, 0));
        clock.set(SIX);
        parts.compact();
    }

    private UsageReader reader(ParquetEngine.Factory factory) {
        return new UsageReader(store, new LedgerParts(store, clock, temp).segments(), factory, temp);
    }

    @Test
    void aDatabaseThatDoesNotOpenFailsTheReading() {
        ParquetEngine.Factory closed = folder -> {
            throw new IOException("no native library");
        };
        assertThatThrownBy(() -> reader(closed).rows(FIVE, SIX))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no native library");
    }

    @Test
    void aDatabaseThatRunsOutOfMemoryFailsTheReadingAndNamesTheFile() {
        assertThatThrownBy(() -> reader(folder -> new Failing()).rows(FIVE, SIX))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("usage/nodes/2026/11/23/05-")
                .hasMessageContaining("out of memory");
    }

    @Test
    void aRowThatIsNoneIsDamageOfItsFile() throws Exception {
        Usage usage = reader(folder -> new OddRows()).rows(FIVE, SIX);
        assertThat(usage.damages()).singleElement().satisfies(damage -> {
            assertThat(damage.type()).isEqualTo(LedgerDamage.Type.CORRUPT);
            assertThat(damage.name()).startsWith("usage/nodes/2026/11/23/05-");
        });
    }

    private static final class OddRows extends Failing {
        @Override
        public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException {
            rows.accept(RowJson.decode("{}").row());
        }
    }

    private static class Failing implements ParquetEngine {
        @Override
        public Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) {
            throw new IllegalStateException("a reading merges nothing");
        }

        @Override
        public Merged sum(Path minutes, Path target) {
            throw new IllegalStateException("a reading sums nothing");
        }

        @Override
        public Merged concatenate(RecordKind kind, List<Path> files, Path target) {
            throw new IllegalStateException("a reading merges no days");
        }

        @Override
        public ParquetUsage read(
                Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums) {
            throw new IllegalStateException("rows are read one by one");
        }

        @Override
        public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException {
            throw new IOException("out of memory");
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
