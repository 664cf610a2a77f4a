package io.knabla.controller.local;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.Digest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that each unit is downloaded once at a time, and again after a failure. */
class UnitPrefetcherTest {
    private static final Digest UNIT = new Digest("sha256:" + "0".repeat(64));
    private static final Digest OTHER = new Digest("sha256:" + "1".repeat(64));

    @Test
    void aUnitIsFetchedOnceAtATimeAndOthersBesideIt() throws InterruptedException {
        var end = new CountDownLatch(1);
        var fetched = new AtomicInteger();
        var both = new CountDownLatch(2);
        UnitPrefetcher prefetch = UnitPrefetcher.by(unit -> {
            fetched.incrementAndGet();
            both.countDown();
            try {
                end.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        });
        prefetch.start(UNIT);
        prefetch.start(UNIT);
        prefetch.start(OTHER);
        both.await();
        assertThat(fetched).hasValue(2);
        end.countDown();
        await().until(() -> {
            prefetch.start(UNIT);
            return fetched.get() > 2;
        });
    }

    @Test
    void aFailureIsForgotten() {
        var tries = new AtomicInteger();
        UnitPrefetcher prefetch = UnitPrefetcher.by(unit -> {
            tries.incrementAndGet();
            throw new IllegalStateException("the store is gone");
        });
        await().until(() -> {
            prefetch.start(UNIT);
            return tries.get() >= 3;
        });
    }
}
