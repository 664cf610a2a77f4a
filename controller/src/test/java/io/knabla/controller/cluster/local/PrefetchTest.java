package io.knabla.controller.cluster.local;

import static io.knabla.controller.standin.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.Digest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that each unit is downloaded once at a time, and again after a failure. */
class PrefetchTest {
    private static final Digest UNIT = new Digest("sha256:" + "0".repeat(64));
    private static final Digest OTHER = new Digest("sha256:" + "1".repeat(64));

    @Test
    void aUnitIsFetchedOnceAtATimeAndOthersBesideIt() throws InterruptedException {
        var end = new CountDownLatch(1);
        var fetched = new AtomicInteger();
        var both = new CountDownLatch(2);
        Prefetch prefetch = Prefetch.by(unit -> {
            fetched.incrementAndGet();
            both.countDown();
            try {
                end.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        });
        prefetch.begin(UNIT);
        prefetch.begin(UNIT);
        prefetch.begin(OTHER);
        both.await();
        assertThat(fetched).hasValue(2);
        end.countDown();
        await().until(() -> {
            prefetch.begin(UNIT);
            return fetched.get() > 2;
        });
    }

    @Test
    void aFailureIsForgotten() {
        var tries = new AtomicInteger();
        Prefetch prefetch = Prefetch.by(unit -> {
            tries.incrementAndGet();
            throw new IllegalStateException("the store is gone");
        });
        await().until(() -> {
            prefetch.begin(UNIT);
            return tries.get() >= 3;
        });
    }
}
