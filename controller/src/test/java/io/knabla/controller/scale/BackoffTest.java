package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.scale.Backoff.Death;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests pauses after failed starts and deaths, and when they are forgiven. */
class BackoffTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void pausesAfterFailedStartsDoubleUpToAMinute() {
        List<Long> pauses = new ArrayList<>();
        Backoff backoff = Backoff.NONE;
        for (int i = 0; i < 10; i++) {
            backoff = backoff.after(Death.BEFORE_READY, NOW, "broken");
            pauses.add(Duration.between(NOW, backoff.notBefore()).toMillis());
        }

        assertThat(pauses)
                .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
        assertThat(backoff.failedStarts()).isEqualTo(10);
        assertThat(backoff.explanation()).isEqualTo("cannot be started, tried 10 times: broken");
        assertThat(backoff.allows(backoff.notBefore().minusMillis(1))).isFalse();
        assertThat(backoff.allows(backoff.notBefore())).isTrue();
    }

    @Test
    void replacesReplicasThatAnsweredAtOnceHoweverOftenTheyAreKilled() {
        Backoff backoff = Backoff.NONE;
        Instant now = NOW;
        for (int kill = 0; kill < 50; kill++) {
            now = now.plusMillis(1_200);
            backoff = backoff.started().after(Death.of(Optional.of(Duration.ofMillis(400)), true), now, "killed");

            assertThat(backoff.allows(now)).as("kill %d", kill).isTrue();
            assertThat(backoff.failing()).isFalse();
        }
    }

    @Test
    void replicasThatEndSoonWithoutAnAnswerAreACrashLoop() {
        List<Long> pauses = new ArrayList<>();
        Backoff backoff = Backoff.NONE;
        for (int i = 0; i < 6; i++) {
            backoff = backoff.started().after(Death.of(Optional.of(Duration.ofSeconds(1)), false), NOW, "exit code 1");
            pauses.add(Duration.between(NOW, backoff.notBefore()).toMillis());
        }

        assertThat(pauses).containsExactly(0L, 0L, 0L, 500L, 1_000L, 2_000L);
        assertThat(backoff.failingRepeatedly()).isTrue();
        assertThat(backoff.explanation())
                .isEqualTo(
                        "starts, but 6 replicas in a row ended before they answered a request; the last one: exit code 1");
        assertThat(backoff.after(Death.AFTER_WORK, NOW, "killed").failing()).isFalse();
    }

    @Test
    void aReplicaThatWasReadyForLongWorkedEvenIfNothingWasAskedOfIt() {
        assertThat(Death.of(Optional.empty(), false)).isEqualTo(Death.BEFORE_READY);
        assertThat(Death.of(Optional.of(Duration.ZERO), false)).isEqualTo(Death.UNUSED);
        assertThat(Death.of(Optional.of(Duration.ZERO), true)).isEqualTo(Death.AFTER_WORK);
        assertThat(Death.of(Optional.of(Backoff.WORKED_AFTER), false)).isEqualTo(Death.AFTER_WORK);
    }

    @Test
    void oneFailedStartOfAVersionThatWorkedIsRepeatedAtOnce() {
        Backoff once = Backoff.NONE.started().after(Death.BEFORE_READY, NOW, "killed");
        Backoff twice = once.after(Death.BEFORE_READY, NOW, "killed");

        assertThat(once.allows(NOW)).isTrue();
        assertThat(twice.notBefore()).isEqualTo(NOW.plusSeconds(1));
    }

    @Test
    void aStartThatWorkedEndsTheRowOfFailedOnes() {
        Backoff failing = Backoff.NONE.after(Death.BEFORE_READY, NOW, "a").after(Death.BEFORE_READY, NOW, "b");
        assertThat(failing.failingRepeatedly()).isTrue();

        Backoff started = failing.started();

        assertThat(started.failing()).isFalse();
        assertThat(started.allows(Instant.MIN)).isTrue();
        assertThat(started.started()).isSameAs(started);
        assertThat(Backoff.NONE.allows(Instant.MIN)).isTrue();
    }
}
