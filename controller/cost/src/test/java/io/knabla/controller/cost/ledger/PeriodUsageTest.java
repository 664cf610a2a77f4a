package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports read the same usage as those who want every row. */
class PeriodUsageTest {
    private static final Set<RequestSum.By> ALL = EnumSet.allOf(RequestSum.By.class);

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);

    private UsageReader reader(ObjectStore store) {
        return new UsageReader(store, new LedgerParts(store, clock, temp).segments(), LedgerParts.DUCKDB, temp);
    }

    private void fill(ObjectStore store) {
        LedgerParts parts = new LedgerParts(store, clock, temp);
        parts.append(running("a", FIVE, 0), replica("r", FIVE, 1, 0), requests("r", FIVE, 3, 0));
        parts.append(ended("b", FIVE, SIX, 0), replica("s", FIVE.plusSeconds(7), 2, 0));
        clock.set(SIX);
        parts.compact();
        parts.append(ended("a", FIVE, SIX, 5), requests("r", FIVE, 4, 1), requests("s", SIX, 9, 0));
        parts.append(requests("s", SIX.plusSeconds(840), 2, 0), replica("t", SIX, 8, 0));
        clock.set(SEVEN);
    }

    private void assertSame(ObjectStore store, Instant from, Instant until) throws IOException {
        Usage rows = reader(store).rows(from, until);
        PeriodUsage period = reader(store).period(from, until, ALL);
        assertThat(period.nodes()).isEqualTo(rows.nodes());
        assertThat(period.replicas()).isEqualTo(rows.replicas());
        assertThat(period.damages()).isEqualTo(rows.damages()).isEmpty();
        Work all = rows.requests().stream()
                .filter(minute -> !minute.minute().isBefore(from))
                .map(RequestMinute::work)
                .reduce(Work.NONE, Work::plus);
        for (RequestSum.By by : RequestSum.By.values()) {
            assertThat(period.requests().stream()
                            .filter(sum -> (sum instanceof RequestSum.OfVersion) == (by == RequestSum.By.VERSION))
                            .map(RequestSum::work)
                            .reduce(Work.NONE, Work::plus))
                    .as(by.name())
                    .isEqualTo(all);
        }
    }

    @Test
    void rowsOfFilesAndSegmentsAreThoseThatAreReadOneByOne() throws Exception {
        for (ObjectStore store : List.of(new MemoryObjectStore(clock), FileObjectStore.open(temp.resolve("store")))) {
            clock.set(FIVE);
            fill(store);
            assertSame(store, FIVE, SEVEN);
            assertSame(store, FIVE.plusSeconds(7), SIX);
            assertSame(store, SIX, SIX.plusSeconds(1));
        }
    }

    @Test
    void quartersOfAnHourHoldTheirMinutes() throws Exception {
        ObjectStore store = new MemoryObjectStore(clock);
        fill(store);
        assertThat(reader(store)
                        .period(SIX, SEVEN, EnumSet.of(RequestSum.By.QUARTER_HOUR))
                        .requests())
                .singleElement()
                .satisfies(sum -> {
                    assertThat(((RequestSum.OfQuarterHour) sum).start()).isEqualTo(SIX);
                    assertThat(sum.work().succeeded()).isEqualTo(11);
                });
        assertThat(reader(store).period(SIX, SEVEN, Set.of()).requests()).isEmpty();
    }

    @Test
    void wholeHoursAreReadFromTheirSumsAndPartsFromTheMinutes() throws Exception {
        ObjectStore store = new MemoryObjectStore(clock);
        fill(store);
        LedgerParts parts = new LedgerParts(store, clock, temp);
        parts.compact();
        // The next run deletes the segments that this one merged.
        parts.compact();
        deleteMinutes(store);
        PeriodUsage whole = reader(store).period(FIVE, SEVEN, ALL);
        assertThat(whole.damages()).isEmpty();
        assertThat(whole.requests())
                .containsExactlyInAnyOrder(
                        new RequestSum.OfVersion("default", "classify", 3, new Work(15, 0, 0, 30, 21)),
                        new RequestSum.OfQuarterHour(FIVE, new Work(4, 0, 0, 10, 7)),
                        new RequestSum.OfQuarterHour(SIX, new Work(11, 0, 0, 20, 14)));
        assertThat(reader(store).period(FIVE, SEVEN.minusSeconds(1), ALL).damages())
                .singleElement()
                .extracting(LedgerDamage::type)
                .isEqualTo(LedgerDamage.Type.MISSING);
    }

    private static void deleteMinutes(ObjectStore store) {
        List<ObjectKey> minutes;
        try (Stream<ObjectInfo> files = store.list("usage/requests/")) {
            minutes = files.map(ObjectInfo::key).toList();
        }
        assertThat(minutes).hasSizeGreaterThanOrEqualTo(2).allMatch(store::delete);
    }

    @Test
    void segmentsWithoutFilesAreRead() throws Exception {
        ObjectStore store = new MemoryObjectStore(clock);
        new LedgerParts(store, clock, temp).append(running("a", FIVE, 0), ended("a", FIVE, SIX, 1));
        PeriodUsage period = reader(store).period(FIVE, SEVEN, ALL);
        assertThat(period.nodes()).containsExactly(((UsageRecord.Node) ended("a", FIVE, SIX, 1)).interval());
    }

    @Test
    void anEmptyLedgerHasNoUsage() throws Exception {
        assertThat(reader(new MemoryObjectStore(clock)).period(FIVE, SEVEN, ALL))
                .isEqualTo(new PeriodUsage(List.of(), List.of(), List.of(), List.of()));
    }

    @Test
    void aFileThatChangesAfterItWasReadIsNamed() throws Exception {
        ObjectStore store = FileObjectStore.open(temp.resolve("store"));
        fill(store);
        UsageReader reader = reader(store);
        assertThat(reader.period(FIVE, SEVEN, ALL).damages()).isEmpty();
        String key = new LedgerParts(store, clock, temp).keys("usage/nodes/").getFirst();
        Path file = store.localPath(new ObjectKey(key)).orElseThrow();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        PeriodUsage period = reader.period(FIVE, SEVEN, ALL);
        assertThat(period.damages())
                .extracting(LedgerDamage::name, LedgerDamage::type)
                .containsExactly(tuple(key, LedgerDamage.Type.CORRUPT));
        assertThat(period.replicas()).hasSize(3);
    }
}
