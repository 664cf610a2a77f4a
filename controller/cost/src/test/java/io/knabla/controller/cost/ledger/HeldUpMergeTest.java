package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A compactor is suspended between two of its steps for longer than the grace time, while others go on. */
class HeldUpMergeTest {
    private static final Duration LONGER_THAN_GRACE = LedgerParts.GRACE.plusSeconds(1);

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private LedgerParts parts() {
        return new LedgerParts(store, clock, temp);
    }

    private void pass(Duration time) {
        clock.set(clock.instant().plus(time));
    }

    /** Does something once, just before a manifest is written or a Parquet file is opened. */
    private abstract static class Paused extends ForwardingStore {
        private boolean done;

        Paused(ObjectStore below) {
            super(below);
        }

        void pause(Runnable work) {
            if (!done) {
                done = true;
                work.run();
            }
        }
    }

    private ObjectStore pausedBeforeManifest(Runnable work) {
        return new Paused(store) {
            @Override
            public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
                if (key.equals(Hour.of(FIVE).manifest())) {
                    pause(work);
                }
                return super.createOnce(key, content);
            }

            @Override
            public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
                pause(work);
                return super.replaceIfMatch(key, etag, content);
            }
        };
    }

    private ObjectStore pausedBeforeDownload(Runnable work) {
        return new Paused(store) {
            @Override
            public Optional<InputStream> open(ObjectKey key, ByteRange range) {
                pause(work);
                return super.open(key, range);
            }
        };
    }

    private void append(String id) {
        parts().append(ended(id, FIVE, SIX, 0));
    }

    private void retainAfterGrace() {
        pass(LONGER_THAN_GRACE);
        parts().retain();
    }

    private void isWholeAndStaysSo(String... ids) {
        for (int run = 0; run < 3; run++) {
            assertThat(parts().read().rows()).extracting(UsageRecord::id).containsExactly(ids);
            assertThat(parts().read().damages()).isEmpty();
            assertThat(parts().compact().damages()).isEmpty();
            retainAfterGrace();
        }
        assertThat(parts().keys("usage/wal/")).isEmpty();
        assertThat(parts().keys("usage/nodes/")).hasSize(1);
    }

    @Test
    void filesThatARetentionDeletedBeforeTheReplacementAreMergedAgain() {
        append("a");
        clock.set(SIX);
        parts().compact();
        parts().compact();
        append("b");
        clock.set(SEVEN);
        parts().over(pausedBeforeManifest(this::retainAfterGrace)).compact();
        isWholeAndStaysSo("a", "b");
    }

    @Test
    void filesAreKeptUntilTheFirstManifestNamesThem() {
        append("a");
        clock.set(SIX);
        parts().over(pausedBeforeManifest(this::retainAfterGrace)).compact();
        isWholeAndStaysSo("a");
    }

    /** As if the manifest that the retention left had been forgotten since. */
    @Test
    void aManifestThatNamesAMissingFileIsTakenBack() {
        append("a");
        clock.set(SIX);
        parts().compact();
        parts().compact();
        append("b");
        clock.set(SEVEN);
        String old = parts().keys("usage/nodes/").getFirst();
        Runnable deletion = () -> parts().keys("usage/nodes/").stream()
                .filter(key -> !key.equals(old))
                .forEach(key -> store.delete(new ObjectKey(key)));
        parts().over(pausedBeforeManifest(deletion)).compact();
        isWholeAndStaysSo("a", "b");
    }

    /** The manifest was read, then another controller merged the hour, and the file that it replaced was deleted. */
    @Test
    void aFileThatIsDeletedBeforeItsDownloadIsNoDamage() {
        append("a");
        clock.set(SIX);
        parts().compact();
        parts().compact();
        append("b");
        append("c");
        clock.set(SEVEN);
        Runnable others = () -> {
            parts().compact();
            retainAfterGrace();
        };
        assertThat(parts().over(pausedBeforeDownload(others)).compact().damages())
                .isEmpty();
        isWholeAndStaysSo("a", "b", "c");
    }

    @Test
    void aReplacedFileIsKeptForTheGraceTimeAfterItWasReplaced() {
        append("a");
        clock.set(SIX);
        parts().compact();
        parts().compact();
        append("b");
        pass(LONGER_THAN_GRACE);
        parts().compact();
        assertThat(parts().retain().files()).isZero();
        assertThat(parts().keys("usage/nodes/")).hasSize(2);
        pass(LONGER_THAN_GRACE);
        assertThat(parts().retain().files()).isOne();
    }
}
