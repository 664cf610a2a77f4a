package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests pauses after failures, and when failures are forgiven. */
class BackoffTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration NEVER = Duration.ZERO;

    @Test
    void pausesDoubleUpToAMinute() {
        List<Long> pauses = new ArrayList<>();
        Backoff backoff = Backoff.NONE;
        for (int i = 0; i < 10; i++) {
            backoff = backoff.failed(NOW, NEVER, "broken");
            pauses.add(Duration.between(NOW, backoff.notBefore()).toMillis());
        }

        assertThat(pauses)
                .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
        assertThat(backoff.failures()).isEqualTo(10);
        assertThat(backoff.reason()).isEqualTo("broken");
        assertThat(backoff.allows(backoff.notBefore().minusMillis(1))).isFalse();
        assertThat(backoff.allows(backoff.notBefore())).isTrue();
    }

    @Test
    void replacesAReplicaThatWasReadyAtOnce() {
        Backoff first = Backoff.NONE.failed(NOW, Duration.ofMillis(1), "killed");
        Backoff second = first.failed(NOW, Duration.ofMillis(1), "killed");

        assertThat(first.allows(NOW)).isTrue();
        assertThat(second.allows(NOW)).isFalse();
    }

    @Test
    void forgivesFailuresAfterLongReadiness() {
        Backoff failing = Backoff.NONE.failed(NOW, NEVER, "a").failed(NOW, NEVER, "b");

        Backoff later = failing.failed(NOW, Backoff.FORGIVEN_AFTER, "c");

        assertThat(later.failures()).isEqualTo(1);
        assertThat(later.allows(NOW)).isTrue();
        assertThat(Backoff.NONE.allows(Instant.MIN)).isTrue();
    }
}
