package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests when a collection is due, and that two controllers share one schedule. */
class DailyTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

    @Test
    void isDueOnceTheLastIsLongEnoughAgo() {
        assertThat(Daily.due(Optional.empty(), NOW, DAY)).isTrue();
        assertThat(Daily.due(Optional.of(NOW.minus(DAY)), NOW, DAY)).isTrue();
        assertThat(Daily.due(Optional.of(NOW.minus(DAY).plusMillis(1)), NOW, DAY))
                .isFalse();
    }

    @Test
    void jittersTheInterval() {
        var random = new Random(7);
        Duration first = Daily.jittered(Duration.ofHours(1), random);

        assertThat(first).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(90));
        assertThat(Daily.jittered(Duration.ofHours(1), random)).isNotEqualTo(first);
    }

    @Test
    void oneOfTwoControllersCollectsPerDay() {
        var storeTime = new AtomicReference<>(NOW);
        var shop = new Shop(new MemoryObjectStore(storeTime::get));
        shop.unit("graph", "weights");
        try (Leases one = Collectors.leases(shop.store, Collectors.IMPATIENT);
                Leases two = Collectors.leases(shop.store, Collectors.IMPATIENT);
                var here = new Daily(Collectors.collector(one), new Random(1), DAY, DAY);
                var there = new Daily(Collectors.collector(two), new Random(2), DAY, DAY)) {
            assertThat(here.look()).isTrue();
            assertThat(there.look()).isFalse();
            assertThat(shop.keys("blobs/")).hasSize(2);
            storeTime.updateAndGet(now -> now.plus(DAY));
            assertThat(there.look()).isTrue();
            assertThat(here.look()).isFalse();
            assertThat(shop.keys("blobs/")).isEmpty();
        }
    }
}
