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

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller stops, or another one interferes, at each call that a compaction or a reading makes to the store. */
@Tag("faults")
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
    private final ObjectStore prepared = new MemoryObjectStore(clock);

    private static final class Killed extends RuntimeException {}

    /** An hour is merged, one segment of it not deleted yet; rows came late for it, and others for the next hour. */
    private void fillPrepared() {
        clock.set(FIVE);
        LedgerParts parts = new LedgerParts(prepared, clock, temp);
        parts.append(running("a", FIVE, 0), running("b", FIVE, 0), replica("r", FIVE, 1, 0));
        parts.append(requests("r", FIVE, 4, 1), ended("a", FIVE, SIX, 2));
        clock.set(SIX);
        parts.compact();
        parts.append(running("a", FIVE, 1), running("b", FIVE, 1), requests("r", FIVE, 3, 0));
        parts.append(ended("c", SIX, SIX.plusSeconds(5), 0), replica("r", FIVE, 9, 3));
        clock.set(SEVEN);
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }

    /** Copies what is made once in every test, because most of the time of a try would be spent on it. */
    private LedgerParts prepare(ObjectStore store) {
        LedgerParts parts = new LedgerParts(prepared, clock, temp);
        if (parts.keys("").isEmpty()) {
            fillPrepared();
        }
        clock.set(SEVEN);
        parts.keys("").forEach(key -> copy(new ObjectKey(key), store));
        return parts.over(store);
    }

    private void copy(ObjectKey key, ObjectStore store) {
        try {
            store.write(key, Content.of(prepared.read(key).orElseThrow().bytes()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void settles(LedgerParts parts) {
        parts.compact();
        assertThat(parts.compact().damages()).isEmpty();
        assertThat(parts.keys("usage/wal/")).isEmpty();
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }

    /** A kill at a read leaves what a kill after the write before it leaves, so these few calls are all cases. */
    private static final boolean AT_READS = Thorough.count("knabla.cost.kills.at.reads", 0, 1) > 0;

    /** By default only every fourth call is tried where the tries are many, or resemble those of another test. */
    private static final int STEP = Thorough.count("knabla.cost.call.step", 4, 1);

    private void everyCall(
            int step, Supplier<ObjectStore> stores, BiFunction<ObjectStore, Integer, InterposedStore> faults) {
        int number = 1;
        for (boolean reached = true; reached; number += step) {
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
        assertThat(number).isGreaterThan(AT_READS ? 20 : 7);
    }

    private static InterposedStore killing(ObjectStore store, int number, Runnable before, Runnable after) {
        return new InterposedStore(store, number, before, after, AT_READS);
    }

    private static void kill() {
        throw new Killed();
    }

    private static void nothing() {}

    @Test
    void aKillBeforeAnyCallNeitherLosesNorDoublesARow() {
        everyCall(
                STEP,
                () -> new MemoryObjectStore(clock),
                (store, number) -> killing(store, number, CompactionCrashTest::kill, CompactionCrashTest::nothing));
    }

    @Test
    void aKillAfterAnyCallNeitherLosesNorDoublesARow() {
        everyCall(
                1,
                () -> new MemoryObjectStore(clock),
                (store, number) -> killing(store, number, CompactionCrashTest::nothing, CompactionCrashTest::kill));
    }

    @Test
    void onFilesAKillAfterAnyCallNeitherLosesNorDoublesARow() {
        Supplier<ObjectStore> stores = () -> FileObjectStore.open(temp.resolve(LedgerParts.writer()));
        everyCall(
                STEP,
                stores,
                (store, number) -> killing(store, number, CompactionCrashTest::nothing, CompactionCrashTest::kill));
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
        List<UsageRecord> expected = new ArrayList<>(EXPECTED.rows());
        expected.add(ended("late", FIVE, SIX, 0));
        int number = 1;
        for (boolean reached = true; reached; number += STEP) {
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
        for (boolean reached = true; reached; number += STEP) {
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
