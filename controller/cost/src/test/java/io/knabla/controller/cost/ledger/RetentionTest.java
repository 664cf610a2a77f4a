package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    private void merge(UsageRecord... rows) {
        parts().append(rows);
        clock.set(SEVEN);
        parts().compact();
        parts().compact();
        assertThat(parts().keys("usage/wal/")).isEmpty();
    }

    private static Instant over(Instant end) {
        return end.plus(LedgerParts.RETENTION).plusNanos(1000);
    }

    @Test
    void anHourGoesWhenItsLastRowEndedLongEnoughAgo() {
        merge(ended("a", FIVE, SEVEN, 0), requests("r", FIVE, 1, 0), ended("b", SIX, SEVEN.plusSeconds(1), 0));
        clock.set(SEVEN.plus(LedgerParts.RETENTION));
        assertThat(parts().retain().hours()).isZero();

        clock.set(over(SEVEN));
        assertThat(parts().retain()).isEqualTo(new Retention.Deleted(1, 0));
        assertThat(parts().keys("usage/requests/")).isEmpty();
        assertThat(parts().keys("usage/nodes/")).hasSize(1);
        assertThat(parts().read().rows()).extracting(UsageRecord::id).containsExactly("b");

        clock.set(over(SEVEN).plus(LedgerParts.GRACE).plusSeconds(9));
        parts().retain();
        parts().retain();
        assertThat(parts().keys("usage/manifests/")).hasSize(1);
        assertThat(parts().read().damages()).isEmpty();
    }

    @Test
    void anHourWithAnIntervalThatLastsIsKept() {
        merge(running("a", FIVE, 0), ended("b", FIVE, SIX, 0));
        clock.set(over(SEVEN).plus(LedgerParts.RETENTION));
        assertThat(parts().retain()).isEqualTo(new Retention.Deleted(0, 0));
        assertThat(parts().read().rows()).hasSize(2);
    }

    @Test
    void aFileThatNoManifestNamesGoesAfterTheGraceTime() {
        merge(ended("a", FIVE, SIX, 0));
        parts().append(ended("b", FIVE, SIX, 0));
        clock.set(SEVEN.plus(Duration.ofHours(1)));
        parts().compact();
        assertThat(parts().keys("usage/nodes/")).hasSize(2);

        Instant unnamed = SEVEN.plus(Duration.ofHours(1));
        clock.set(unnamed.plus(LedgerParts.GRACE));
        assertThat(parts().retain().files()).isZero();
        clock.set(unnamed.plus(LedgerParts.GRACE).plusNanos(1));
        assertThat(parts().retain().files()).isOne();
        assertThat(parts().keys("usage/nodes/")).hasSize(1);
        assertThat(parts().read().rows()).extracting(UsageRecord::id).containsExactly("a", "b");
    }

    /**
     * At each call of a retention a late row is merged that keeps the hour, or comes after it: it is read in any case.
     */
    @Test
    void aRowThatIsMergedMeanwhileIsNotDeleted() {
        int number = 1;
        for (boolean reached = true; reached; number++) {
            ObjectStore fresh = new MemoryObjectStore(clock);
            LedgerParts parts = parts().over(fresh);
            clock.set(FIVE);
            parts.append(ended("a", FIVE, SIX, 0));
            clock.set(SIX);
            parts.compact();
            parts.compact();
            clock.set(over(SIX));
            parts.append(running("late", FIVE.plusSeconds(1), 0));
            clock.set(over(SIX).plus(Duration.ofHours(1)));
            InterposedStore raced = new InterposedStore(fresh, number, () -> parts.compact(), () -> {});
            parts.over(raced).retain();
            reached = raced.reached();
            assertThat(parts.read().rows())
                    .as("raced at call %d", number)
                    .extracting(UsageRecord::id)
                    .contains("late");
            assertThat(parts.read().damages()).isEmpty();
            parts.compact();
            parts.compact();
            parts.retain();
            assertThat(parts.keys("usage/wal/")).isEmpty();
            assertThat(parts.read().rows()).extracting(UsageRecord::id).contains("late");
            assertThat(parts.read().damages()).isEmpty();
        }
        assertThat(number).isGreaterThan(6);
    }

    /** Hours within the retention are not read for their age, and unchanged ones not for their files either. */
    @Test
    void aManifestIsReadOnceWhileNothingChanges() {
        merge(ended("a", FIVE, SIX, 0), ended("b", SIX, SEVEN, 0), requests("r", FIVE, 1, 0));
        AtomicInteger reads = new AtomicInteger();
        Retention retention = new Retention(counting(reads), parts().settings(), clock);
        retention.run();
        assertThat(reads).as("within the grace time no file can be garbage").hasValue(0);
        clock.set(SEVEN.plus(LedgerParts.GRACE).plusSeconds(1));
        retention.run();
        assertThat(reads).as("one for every hour, not for every file").hasValue(2);
        retention.run();
        assertThat(reads).hasValue(2);
    }

    private ObjectStore counting(AtomicInteger reads) {
        return new ForwardingStore(store) {
            @Override
            public Optional<StoredObject> read(ObjectKey key) {
                reads.incrementAndGet();
                return super.read(key);
            }
        };
    }

    /** A compaction that was held up for longer than half of the grace time gives up, and the next one succeeds. */
    @Test
    void aMergeThatTookTooLongIsNotCommitted() {
        int gaveUp = 0;
        for (int number = 1; number <= 12; number++) {
            LedgerParts parts = parts().over(new MemoryObjectStore(clock));
            clock.set(FIVE);
            parts.append(ended("a", FIVE, SIX, 0));
            clock.set(SIX);
            if (heldUp(parts, number).hoursMerged() == 0) {
                gaveUp++;
                assertThat(parts.keys("usage/nodes/")).isEmpty();
            }
            parts.compact();
            assertThat(parts.read().rows()).containsExactly(ended("a", FIVE, SIX, 0));
        }
        assertThat(gaveUp).as("only the upload of the one file is timed").isOne();
    }

    private Compaction heldUp(LedgerParts parts, int call) {
        Runnable longTime = () -> clock.set(clock.instant().plus(LedgerParts.GRACE));
        return parts.over(new InterposedStore(parts.store(), call, () -> {}, longTime))
                .compact();
    }

    @Test
    void settingsThatCouldDeleteWhatIsUsedAreRefused() {
        assertThatThrownBy(() -> new LedgerSettings(temp, Duration.ofDays(1), Duration.ofMinutes(59)))
                .hasMessageContaining("at least PT1H");
        assertThatThrownBy(() -> new LedgerSettings(temp, Duration.ofMinutes(90), Duration.ofHours(2)))
                .hasMessageContaining("usage.retention");
    }
}
