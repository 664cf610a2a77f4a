package io.knabla.controller.cost.ledger.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestSum;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EngineOnPlatformThreadsTest {
    private static final Path FOLDER = Path.of("");

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void isClosedWhenTheCallOfACallerThatWasInterruptedHasEnded() throws Exception {
        ParquetEngine engine = EngineOnPlatformThreads.open(_ -> new Slow(), FOLDER);
        Thread caller = Thread.startVirtualThread(() -> run(() -> engine.read(RecordKind.NODE, FOLDER, _ -> {})));
        began.await();
        caller.interrupt();
        caller.join();

        Thread closer = Thread.ofPlatform().start(() -> run(engine::close));
        while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        closer.join();

        assertThat(events).containsExactly("interrupted", "read", "closed");
    }

    private interface Call {
        void run() throws IOException;
    }

    private void run(Call call) {
        try {
            call.run();
        } catch (InterruptedIOException interrupted) {
            events.add("interrupted");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** As native code, it does not hear of interrupts. */
    private final class Slow implements ParquetEngine {
        @Override
        public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) {
            began.countDown();
            for (boolean waits = true; waits; ) {
                try {
                    mayEnd.await();
                    waits = false;
                } catch (InterruptedException _) {
                    waits = true;
                }
            }
            events.add("read");
        }

        @Override
        public void close() {
            events.add("closed");
        }

        @Override
        public Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) {
            throw new AssertionError("merge");
        }

        @Override
        public Merged sum(Path minutes, Path target) {
            throw new AssertionError("sum");
        }

        @Override
        public Merged concatenate(RecordKind kind, List<Path> files, Path target) {
            throw new AssertionError("concatenate");
        }

        @Override
        public ParquetUsage read(
                Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums) {
            throw new AssertionError("read");
        }
    }
}
