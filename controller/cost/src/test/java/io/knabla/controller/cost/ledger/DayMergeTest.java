package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static io.knabla.controller.cost.ledger.TestRows.stopped;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports read the same usage from the files of days as from those of hours. */
class DayMergeTest {
    private static final Instant DAY = FIVE.truncatedTo(ChronoUnit.DAYS);
    private static final Instant NEXT = DAY.plus(Duration.ofDays(1));
    private static final Instant ONE = NEXT.plus(Duration.ofHours(1));

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);
    private final Queue<String> read = new ConcurrentLinkedQueue<>();

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    /** Three hours of a day, and one of the next. */
    private void fill() {
        parts().append(ended("a", FIVE, SIX, 0), stopped("r", FIVE, SIX), requests("r", FIVE, 3, 0));
        parts().append(ended("b", SIX, SEVEN, 0), stopped("s", SIX, SEVEN), requests("s", SIX, 5, 0));
        parts().append(ended("c", SEVEN, NEXT.plusSeconds(60), 0), requests("r", SEVEN.plusSeconds(840), 7, 0));
        parts().append(ended("d", ONE, ONE.plusSeconds(60), 0), requests("r", ONE, 9, 0));
        mergeAt(NEXT.plus(Duration.ofHours(2)));
    }

    /** The second run deletes the segments that the first merged. */
    private void mergeAt(Instant now) {
        clock.set(now);
        parts().compact();
        parts().compact();
        assertThat(parts().keys("usage/wal/")).isEmpty();
    }

    private PeriodUsage period(ObjectStore from, Instant start, Instant until) {
        try {
            return new UsageReader(from, parts().segments(), LedgerParts.DUCKDB, temp)
                    .period(start, until, EnumSet.allOf(RequestSum.By.class));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Remembers the keys that are read. */
    private ObjectStore watched() {
        read.clear();
        return new ForwardingStore(store) {
            @Override
            public Optional<StoredObject> read(ObjectKey key) {
                read.add(key.path());
                return super.read(key);
            }
        };
    }

    private ObjectStore withoutDays() {
        return new ForwardingStore(store) {
            @Override
            public Stream<ObjectInfo> list(String prefix) {
                return prefix.equals(Day.PREFIX) ? Stream.of() : super.list(prefix);
            }
        };
    }

    private long manifestsOfHoursRead(Instant start, Instant until) {
        PeriodUsage usage = period(watched(), start, until);
        long count =
                read.stream().filter(key -> key.startsWith(Hour.manifests())).count();
        assertThat(usage).isEqualTo(period(withoutDays(), start, until));
        assertThat(usage.damages()).isEmpty();
        return count;
    }

    @Test
    void aWholeDayIsReadFromItsFiles() {
        fill();
        assertThat(parts().keys(Day.PREFIX)).hasSize(4);
        assertThat(manifestsOfHoursRead(DAY, NEXT)).isZero();
        assertThat(manifestsOfHoursRead(DAY, NEXT.plus(Duration.ofDays(1)))).isEqualTo(1);
        assertThat(period(store, DAY, NEXT).requests())
                .contains(new RequestSum.OfQuarterHour(SIX, new Work(5, 0, 0, 10, 7)));
    }

    @Test
    void aPartOfADayIsReadFromItsHours() {
        fill();
        assertThat(manifestsOfHoursRead(FIVE, NEXT.minusSeconds(1))).isEqualTo(3);
        assertThat(manifestsOfHoursRead(FIVE, NEXT)).isEqualTo(3);
    }

    @Test
    void aDayBeforeThePeriodGivesItsIntervals() {
        fill();
        assertThat(manifestsOfHoursRead(NEXT, NEXT.plus(Duration.ofDays(1)))).isEqualTo(1);
        assertThat(period(store, NEXT.plusSeconds(1), SEVEN.plus(Duration.ofDays(1)))
                        .nodes())
                .extracting(NodeInterval::id)
                .containsExactly("c", "d");
    }

    @Test
    void aLateRowMakesItsHoursCountUntilTheDayIsMergedAgain() {
        fill();
        List<String> before = parts().keys(Day.PREFIX);
        parts().append(ended("late", FIVE.plusSeconds(9), SIX, 0));
        assertThat(manifestsOfHoursRead(DAY, NEXT))
                .as("the row is in a segment")
                .isEqualTo(3);
        mergeAt(NEXT.plus(Duration.ofHours(3)));
        assertThat(manifestsOfHoursRead(DAY, NEXT)).isZero();
        assertThat(period(store, DAY, NEXT).nodes()).hasSize(4);
        assertThat(parts().keys(Day.PREFIX))
                .as("a reading may still use the old files")
                .containsAll(before);

        mergeAt(NEXT.plus(Duration.ofHours(3)).plus(LedgerParts.GRACE).plusSeconds(9));
        assertThat(parts().keys(Day.PREFIX)).hasSize(4).doesNotContainAnyElementsOf(before);
    }

    @Test
    void aDayWithAnIntervalThatLastsIsNotMerged() {
        parts().append(running("a", FIVE, 0), ended("b", FIVE, SIX, 0));
        mergeAt(NEXT.plus(Duration.ofHours(2)));
        assertThat(parts().keys(Day.PREFIX)).isEmpty();
        parts().append(ended("a", FIVE, SEVEN, 1));
        mergeAt(NEXT.plus(Duration.ofHours(3)));
        assertThat(parts().keys(Day.PREFIX)).hasSize(2);
        assertThat(manifestsOfHoursRead(DAY, NEXT)).isZero();
    }

    @Test
    void aDamagedFileOfADayIsReplacedByTheHours() {
        fill();
        String nodes = parts().keys(Day.PREFIX).stream()
                .filter(key -> key.contains("-nodes-"))
                .findFirst()
                .orElseThrow();
        assertThat(store.delete(new ObjectKey(nodes))).isTrue();
        assertThat(manifestsOfHoursRead(DAY, NEXT)).isEqualTo(3);
    }

    @Test
    void ofTwoControllersOneMergesTheDay() {
        fill();
        List<String> first = parts().keys(Day.PREFIX);
        parts().over(withoutDays()).compact();
        assertThat(parts().keys(Day.PREFIX)).isEqualTo(first);
    }
}
