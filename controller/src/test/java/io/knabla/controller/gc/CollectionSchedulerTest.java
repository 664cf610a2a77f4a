package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests when a collection is due, and that two controllers share one schedule. */
class CollectionSchedulerTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final LocalFileCollector NO_FILES = new LocalFileCollector(List.of());
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

    @Test
    void isDueOnceTheLastIsLongEnoughAgo() {
        assertThat(CollectionScheduler.due(Optional.empty(), NOW, DAY)).isTrue();
        assertThat(CollectionScheduler.due(Optional.of(NOW.minus(DAY)), NOW, DAY))
                .isTrue();
        assertThat(CollectionScheduler.due(Optional.of(NOW.minus(DAY).plusMillis(1)), NOW, DAY))
                .isFalse();
    }

    @Test
    void jittersTheInterval() {
        var random = new Random(7);
        Duration first = CollectionScheduler.jittered(Duration.ofHours(1), random);

        assertThat(first).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(90));
        assertThat(CollectionScheduler.jittered(Duration.ofHours(1), random)).isNotEqualTo(first);
    }

    @Test
    void oneOfTwoControllersCollectsPerDay() {
        var storeTime = new AtomicReference<>(NOW);
        var shop = new StoreFixture(new MemoryObjectStore(storeTime::get));
        shop.unit("graph", "weights");
        try (Leases one = GcFixtures.leases(shop.store, GcFixtures.IMPATIENT);
                Leases two = GcFixtures.leases(shop.store, GcFixtures.IMPATIENT);
                var here = new CollectionScheduler(GcFixtures.collector(one), NO_FILES, new Random(1), true, DAY, DAY);
                var there =
                        new CollectionScheduler(GcFixtures.collector(two), NO_FILES, new Random(2), true, DAY, DAY)) {
            assertThat(here.collectIfDue()).isTrue();
            assertThat(there.collectIfDue()).isFalse();
            assertThat(shop.keys("blobs/")).hasSize(2);
            storeTime.updateAndGet(now -> now.plus(DAY));
            assertThat(there.collectIfDue()).isTrue();
            assertThat(here.collectIfDue()).isFalse();
            assertThat(shop.keys("blobs/")).isEmpty();
        }
    }
}
