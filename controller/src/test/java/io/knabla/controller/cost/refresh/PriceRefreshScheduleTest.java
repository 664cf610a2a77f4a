package io.knabla.controller.cost.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.pricelist.PriceRefresher;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests when prices are refreshed, and that two controllers share one schedule. */
class PriceRefreshScheduleTest {
    private static final Optional<Duration> DAILY = Optional.of(Duration.ofDays(1));

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final AtomicInteger asked = new AtomicInteger();
    private Instant now = Instant.parse("2026-11-20T00:00:00Z");

    @Test
    void oneOfTwoControllersRefreshesPerDay() throws IOException {
        try (PriceRefreshSchedule here = schedule(DAILY);
                PriceRefreshSchedule there = schedule(DAILY)) {
            assertThat(here.refreshIfDue()).isTrue();
            assertThat(there.refreshIfDue()).isFalse();
            now = now.plus(Duration.ofDays(1)).minusMillis(1);
            assertThat(there.refreshIfDue()).isFalse();
            now = now.plusMillis(1);
            assertThat(there.refreshIfDue()).isTrue();
            assertThat(here.refreshIfDue()).isFalse();
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void nothingIsAskedUnlessItIsSwitchedOn() throws IOException {
        try (PriceRefreshSchedule off = schedule(Optional.empty())) {
            assertThat(off.refreshIfDue()).isFalse();
        }
        assertThat(asked).hasValue(0);
    }

    private PriceRefreshSchedule schedule(Optional<Duration> every) {
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }
        };
        return new PriceRefreshSchedule(
                every,
                new PriceRefresher(store, clock),
                refresher -> {
                    asked.incrementAndGet();
                    return refresher.refresh(List.of());
                },
                clock,
                new Random(7));
    }
}
