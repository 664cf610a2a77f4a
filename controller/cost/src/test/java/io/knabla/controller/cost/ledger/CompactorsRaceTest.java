package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two controllers append and compact on one store at the same time; a third reads. */
@Tag("faults")
class CompactorsRaceTest {
    private static final int HOURS = Thorough.count("knabla.cost.race.hours", 2, 3);
    private static final int SEEDS = Thorough.count("knabla.cost.races", 1, 8);

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);

    @Test
    void inMemoryNoRowIsLostOrDoubled() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            race(new MemoryObjectStore(clock), seed);
        }
    }

    @ParameterizedTest
    @MethodSource("seedsOnFiles")
    void onFilesNoRowIsLostOrDoubled(int seed) throws Exception {
        race(FileObjectStore.open(temp.resolve("store")), seed);
    }

    static IntStream seedsOnFiles() {
        return IntStream.rangeClosed(1, Math.max(1, SEEDS / 4));
    }

    private void race(ObjectStore store, int seed) throws Exception {
        clock.set(FIVE);
        LedgerParts parts = new LedgerParts(store, clock, temp);
        Map<String, UsageRecord> expected = new HashMap<>();
        Random random = new Random(seed);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int hour = 1; hour <= HOURS; hour++) {
                List<UsageRecord> acknowledged = append(parts, random, hour);
                acknowledged.forEach(row ->
                        expected.merge(row.kind() + row.id(), row, (a, b) -> a.revision() > b.revision() ? a : b));
                clock.set(FIVE.plus(Duration.ofHours(hour)));
                List<Callable<Usage>> work = List.of(
                        () -> compact(parts.segments(), parts),
                        () -> compact(parts.segments(), parts),
                        () -> parts.read());
                for (Future<Usage> result : threads.invokeAll(work)) {
                    assertThat(result.get().rows())
                            .as("seed %d", seed)
                            .containsExactlyInAnyOrderElementsOf(expected.values());
                    assertThat(result.get().damages()).isEmpty();
                }
            }
        }
        parts.compact();
        parts.compact();
        assertThat(parts.keys("usage/wal/")).isEmpty();
        assertThat(parts.read().rows()).containsExactlyInAnyOrderElementsOf(expected.values());
    }

    private static Usage compact(Segments segments, LedgerParts parts) {
        parts.compact(segments);
        parts.compact(segments);
        return parts.read();
    }

    /** Few records, so that revisions of one are in many segments, told in any order. */
    private static List<UsageRecord> append(LedgerParts parts, Random random, int hour) {
        List<UsageRecord> all = new ArrayList<>();
        for (int flush = 0; flush < 6; flush++) {
            List<UsageRecord> rows = new ArrayList<>();
            for (int row = 0; row < 5; row++) {
                rows.add(row(random, hour * 10_000L + random.nextInt(10_000)));
            }
            parts.append(rows.toArray(UsageRecord[]::new));
            all.addAll(rows);
        }
        return all;
    }

    /** The revision decides what the row says, so that none has two contents. */
    private static UsageRecord row(Random random, long revision) {
        int id = random.nextInt(6);
        Instant start = FIVE.plus(Duration.ofHours(id % 2));
        return switch (random.nextInt(3)) {
            case 0 -> requests("r" + id, start, revision, revision);
            default ->
                revision % 2 == 0
                        ? running("n" + id, start, revision)
                        : ended("n" + id, start, start.plusMillis(revision), revision);
        };
    }
}
