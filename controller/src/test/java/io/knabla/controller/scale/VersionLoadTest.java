package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class VersionLoadTest {
    @Test
    void countsARequestOfThisMillisecondAfterASilence() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        VersionLoad load = new VersionLoad(now::get);
        load.requestStarted();
        now.set(Instant.EPOCH.plusSeconds(1));
        load.requestEnded();
        now.set(Instant.EPOCH.plusSeconds(30));

        assertThat(load.average(now.get(), Duration.ofSeconds(6))).isZero();
        load.requestStarted();
        assertThat(load.average(now.get(), Duration.ofSeconds(6))).isEqualTo(1);
    }
}
