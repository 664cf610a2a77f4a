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

    @Test
    void aReplicaCountsByItsUtilizationUntilItEnds() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        VersionLoad load = new VersionLoad(now::get);
        load.requestStarted();
        load.utilized("a", 3);
        load.utilized("a", 7);
        load.utilized("b", 2);
        now.set(now.get().plusSeconds(2));
        assertThat(load.average(now.get(), Duration.ofSeconds(1))).isEqualTo(10);
        assertThat(load.current()).isEqualTo(1);

        load.utilized("a", 0);
        load.forgetReplica("b");
        load.requestEnded();
        now.set(now.get().plusSeconds(2));
        assertThat(load.average(now.get(), Duration.ofSeconds(1))).isZero();
        assertThat(load.idleFor(now.get())).isEqualTo(Duration.ofSeconds(2));
    }
}
