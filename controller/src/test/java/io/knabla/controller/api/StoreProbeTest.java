package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests readiness while the store is gone, back, asked by many, and hanging. */
class StoreProbeTest {
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void theStoresFolderIsGoneUntilItIsBack(@TempDir Path temp) throws IOException {
        Path folder = temp.resolve("store");
        try (ObjectStore store = FileObjectStore.open(folder)) {
            var probe = new StoreProbe(store, StoreProbe.PATIENCE, nanos::get);
            assertThat(probe.outage()).isEmpty();

            Files.move(folder, temp.resolve("away"));
            later();
            assertThat(probe.outage())
                    .hasValueSatisfying(reason -> assertThat(reason).contains(folder + " went away"));

            Files.move(temp.resolve("away"), folder);
            later();
            assertThat(probe.outage()).isEmpty();
        }
    }

    @Test
    void manyProbesAskTheStoreOnce() {
        var store = new CountedStore(new CountDownLatch(0));
        var probe = new StoreProbe(store, StoreProbe.PATIENCE, nanos::get);

        for (int i = 0; i < 100; i++) {
            assertThat(probe.outage()).isEmpty();
        }
        assertThat(store.asked).hasValue(1);
        later();
        assertThat(probe.outage()).isEmpty();
        assertThat(store.asked).hasValue(2);
    }

    @Test
    void aStoreThatHangsHoldsOneThreadAndNoCaller() {
        var answers = new CountDownLatch(1);
        var store = new CountedStore(answers);
        var probe = new StoreProbe(store, Duration.ofMillis(10), nanos::get);

        for (int i = 0; i < 10; i++) {
            assertThat(probe.outage())
                    .hasValueSatisfying(
                            reason -> assertThat(reason).contains("memory:", "did not answer within 10 ms"));
            later();
        }
        assertThat(store.asked).hasValue(1);

        answers.countDown();
        await().untilAsserted(() -> assertThat(probe.outage()).isEmpty());
    }

    private void later() {
        nanos.addAndGet(StoreProbe.FRESH.toNanos());
    }

    /** Answers after the latch is open. */
    private static final class CountedStore extends ForwardingStore {
        private final AtomicInteger asked = new AtomicInteger();
        private final CountDownLatch answers;

        CountedStore(CountDownLatch answers) {
            super(new MemoryObjectStore());
            this.answers = answers;
        }

        @Override
        public Optional<ObjectInfo> stat(ObjectKey key) {
            asked.incrementAndGet();
            try {
                answers.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            return super.stat(key);
        }
    }
}
