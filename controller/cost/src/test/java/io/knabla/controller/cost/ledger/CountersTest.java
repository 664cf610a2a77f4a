package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of counters by the database, of minutes, hours and days, are those that are made here one by one. */
class CountersTest {
    private static final Instant DAY = FIVE.truncatedTo(ChronoUnit.DAYS);
    private static final Instant NEXT = DAY.plus(Duration.ofDays(1));
    private static final List<String> NAMES = List.of("prompt_tokens", "generated_tokens", "cached_tokens", "steps");
    private static final int MINUTES = 40;

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);
    private LedgerParts parts;

    @BeforeEach
    void open() {
        parts = new LedgerParts(store, clock, temp);
    }

    private static Work work(Random random) {
        Map<String, Long> counts = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                counts.put(name, random.nextLong(Counters.MOST));
            }
        }
        return new Work(random.nextInt(9), 0, 0, 7, 5, Counters.of(counts));
    }

    private static List<RequestMinute> minutes(Random random) {
        List<RequestMinute> minutes = new ArrayList<>();
        for (int i = 0; i < MINUTES; i++) {
            minutes.add(new RequestMinute(
                    "default",
                    "chat",
                    1 + random.nextInt(3),
                    "r" + i,
                    FIVE.plus(Duration.ofMinutes(random.nextInt(120))),
                    work(random)));
        }
        return minutes;
    }

    private void append(List<RequestMinute> minutes) {
        parts.append(minutes.stream()
                .map(minute -> new UsageRecord.Requests(minute, 0))
                .toArray(UsageRecord[]::new));
    }

    private PeriodUsage period(Instant from, Instant until) throws IOException {
        PeriodUsage usage = new UsageReader(store, parts.segments(), LedgerParts.DUCKDB, temp)
                .period(from, until, EnumSet.allOf(RequestSum.By.class));
        assertThat(usage.damages()).isEmpty();
        return usage;
    }

    private void assertSummed(List<RequestMinute> minutes, Instant from, Instant until) throws IOException {
        List<RequestMinute> within = minutes.stream()
                .filter(minute ->
                        !minute.minute().isBefore(from) && minute.minute().isBefore(until))
                .toList();
        List<RequestSum> expected = new ArrayList<>();
        sums(within, RequestMinute::version)
                .forEach((version, work) -> expected.add(new RequestSum.OfVersion("default", "chat", version, work)));
        sums(within, minute -> quarter(minute.minute()))
                .forEach((quarter, work) -> expected.add(new RequestSum.OfQuarterHour(quarter, work)));
        assertThat(period(from, until).requests()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static Instant quarter(Instant minute) {
        return Instant.ofEpochSecond(minute.getEpochSecond() / 900 * 900);
    }

    private static <K> Map<K, Work> sums(List<RequestMinute> minutes, Function<RequestMinute, K> by) {
        return minutes.stream()
                .collect(Collectors.groupingBy(by, Collectors.reducing(Work.NONE, RequestMinute::work, Work::plus)));
    }

    @Test
    void areSummedByVersionAndByQuarterOfAnHour() throws IOException {
        List<RequestMinute> minutes = minutes(new Random(7));
        assertThat(minutes).anyMatch(minute -> minute.work().counters().isEmpty());
        append(minutes.subList(0, MINUTES / 2));
        clock.set(SEVEN);
        parts.compact();
        append(minutes.subList(MINUTES / 2, MINUTES));
        assertSummed(minutes, FIVE, SEVEN);

        clock.set(NEXT.plus(Duration.ofHours(2)));
        parts.compact();
        parts.compact();
        assertThat(parts.keys("usage/wal/")).isEmpty();
        assertThat(parts.keys(Day.PREFIX)).isNotEmpty();
        assertSummed(minutes, DAY, NEXT);
        assertSummed(minutes, FIVE, SIX);
        assertSummed(minutes, FIVE.plusSeconds(60), SEVEN.minusSeconds(60));
        assertThat(parts.read().requests()).containsExactlyInAnyOrderElementsOf(minutes);
    }

    @Test
    void aSumThatNoColumnHoldsIsTheLargestOne() throws IOException {
        Work most = new Work(1, 0, 0, 0, 0, new Counters(Map.of("steps", Long.MAX_VALUE)));
        List<RequestMinute> minutes = List.of(
                new RequestMinute("default", "chat", 1, "r", FIVE, most),
                new RequestMinute("default", "chat", 1, "s", FIVE, most));
        append(minutes);
        assertSummed(minutes, FIVE, SEVEN);
        clock.set(SEVEN);
        parts.compact();
        assertSummed(minutes, FIVE, SEVEN);
    }

    @Test
    void ofReplicasAreReadFromSegmentsAndFiles() throws IOException {
        UsageRecord plain = TestRows.stopped("a", FIVE, SIX);
        UsageRecord counting = TestRows.stopped("b", FIVE, SIX, new Counters(Map.of("toy_tokens", 42L, "steps", 1L)));
        parts.append(plain, counting);
        for (int i = 0; i < 2; i++) {
            assertThat(parts.read().rows()).containsExactly(plain, counting);
            assertThat(period(FIVE, SEVEN).replicas())
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("startPhases")
                    .containsExactly(
                            ((UsageRecord.Replica) plain).interval(), ((UsageRecord.Replica) counting).interval());
            clock.set(SEVEN);
            parts.compact();
        }
    }
}
