package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.row.Row;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller stops, or another one interferes, at each call that a compaction or a reading makes to the store. */
class CompactionCrashTest {
    private static final Usage EXPECTED = new Usage(
            List.of(
                    ended("a", FIVE, SIX, 2),
                    running("b", FIVE, 1),
                    ended("c", SIX, SIX.plusSeconds(5), 0),
                    replica("r", FIVE, 9, 3),
                    requests("r", FIVE, 4, 1)),
            List.of());

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);

    private static final class Killed extends RuntimeException {}

    /** An hour is merged, one segment of it not deleted yet; rows came late for it, and others for the next hour. */
    private LedgerParts prepare(ObjectStore store) {
        clock.set(FIVE);
        LedgerParts parts = new LedgerParts(store, clock, temp);
        parts.append(running("a", FIVE, 0), running("b", FIVE, 0), replica("r", FIVE, 1, 0));
        parts.append(requests("r", FIVE, 4, 1), ended("a", FIVE, SIX, 2));
        clock.set(SIX);
        parts.compact();
        parts.append(running("a", FIVE, 1), running("b", FIVE, 1), requests("r", FIVE, 3, 0));
        parts.append(ended("c", SIX, SIX.plusSeconds(5), 0), replica("r", FIVE, 9, 3));
        clock.set(SEVEN);
        assertThat(parts.read()).isEqualTo(EXPECTED);
        return parts;
    }

    private static void settles(LedgerParts parts) {
        parts.compact();
        assertThat(parts.compact().damages()).isEmpty();
        assertThat(parts.keys("usage/wal/")).isEmpty();
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }

    private void everyCall(Supplier<ObjectStore> stores, BiFunction<ObjectStore, Integer, InterposedStore> faults) {
        int number = 1;
        for (boolean reached = true; reached; number++) {
            ObjectStore store = stores.get();
            LedgerParts parts = prepare(store);
            InterposedStore faulty = faults.apply(store, number);
            try {
                parts.over(faulty).compact();
                assertThat(faulty.reached()).isFalse();
            } catch (Killed killed) {
                assertThat(faulty.reached()).isTrue();
            }
            reached = faulty.reached();
            assertThat(parts.read()).as("stopped at call %d", number).isEqualTo(EXPECTED);
            settles(parts);
        }
        assertThat(number).isGreaterThan(20);
    }

    private static void kill() {
        throw new Killed();
    }

    private static void nothing() {}

    @Test
    void aKillBeforeAnyCallNeitherLosesNorDoublesARow() {
        everyCall(
                () -> new MemoryObjectStore(clock),
                (store, number) ->
                        new InterposedStore(store, number, CompactionCrashTest::kill, CompactionCrashTest::nothing));
    }

    @Test
    void aKillAfterAnyCallNeitherLosesNorDoublesARow() {
        everyCall(
                () -> new MemoryObjectStore(clock),
                (store, number) ->
                        new InterposedStore(store, number, CompactionCrashTest::nothing, CompactionCrashTest::kill));
    }

    @Test
    void onFilesAKillAfterAnyCallNeitherLosesNorDoublesARow() {
        Supplier<ObjectStore> stores = () -> FileObjectStore.open(temp.resolve(LedgerParts.writer()));
        everyCall(
                stores,
                (store, number) ->
                        new InterposedStore(store, number, CompactionCrashTest::nothing, CompactionCrashTest::kill));
    }

    /** An outage is an exception of the store, and the same controller goes on afterwards. */
    @Test
    void anOutageIsToldAndTheNextRunGoesOn() {
        ObjectStore store = new MemoryObjectStore(clock);
        LedgerParts parts = prepare(store);
        Runnable outage = () -> {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "out", "");
        };
        InterposedStore faulty = new InterposedStore(store, 9, outage, CompactionCrashTest::nothing);
        assertThatThrownBy(() -> parts.over(faulty).compact()).isInstanceOf(StorageException.class);
        settles(parts.over(faulty));
    }

    /** The other one merges and deletes a segment that the first one never sees. */
    @Test
    void anotherCompactorBeforeAnyCallNeitherLosesNorDoublesARow() {
        List<Row> expected = new ArrayList<>(EXPECTED.rows());
        expected.add(ended("late", FIVE, SIX, 0));
        int number = 1;
        for (boolean reached = true; reached; number++) {
            ObjectStore store = new MemoryObjectStore(clock);
            LedgerParts parts = prepare(store);
            InterposedStore raced =
                    new InterposedStore(store, number, () -> mergeLate(parts), CompactionCrashTest::nothing);
            parts.over(raced).compact();
            reached = raced.reached();
            if (!reached) {
                mergeLate(parts);
            }
            parts.compact();
            parts.compact();
            assertThat(parts.keys("usage/wal/")).isEmpty();
            assertThat(parts.read().rows())
                    .as("raced at call %d", number)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(number).isGreaterThan(20);
    }

    private void mergeLate(LedgerParts parts) {
        parts.append(ended("late", FIVE, SIX, 0));
        clock.set(SEVEN.plus(Duration.ofHours(1)));
        parts.compact();
        parts.compact();
    }

    @Test
    void aReadingIsCompleteWhateverIsMergedAndDeletedMeanwhile() {
        int number = 1;
        for (boolean reached = true; reached; number++) {
            ObjectStore store = new MemoryObjectStore(clock);
            LedgerParts parts = prepare(store);
            Runnable upkeep = () -> {
                parts.compact();
                parts.compact();
                clock.set(SEVEN.plus(LedgerParts.GRACE).plusSeconds(1));
                parts.retain();
            };
            InterposedStore raced = new InterposedStore(store, number, upkeep, CompactionCrashTest::nothing);
            assertThat(parts.over(raced).read()).as("raced at call %d", number).isEqualTo(EXPECTED);
            reached = raced.reached();
        }
        assertThat(number).isGreaterThan(8);
    }
}
