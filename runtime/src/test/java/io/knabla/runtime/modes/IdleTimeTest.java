package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdleTimeTest {
    private static final long MINUTE = IdleTime.PATIENCE.toNanos();

    private final IdleTime idle = new IdleTime(1, 0);

    @Test
    void isOverOnceAfterAMinuteWithoutARun() {
        assertThat(idle.isOver(1, MINUTE - 1)).isFalse();
        assertThat(idle.isOver(1, MINUTE)).isTrue();
        // The run that gave memory back.
        assertThat(idle.isOver(2, 2 * MINUTE)).isFalse();
        assertThat(idle.isOver(2, 9 * MINUTE)).isFalse();
    }

    @Test
    void beginsAgainWithEachRun() {
        assertThat(idle.isOver(2, MINUTE)).isFalse();
        assertThat(idle.isOver(2, 2 * MINUTE - 1)).isFalse();
        assertThat(idle.isOver(2, 2 * MINUTE)).isTrue();
        // One more than the run that gave memory back.
        assertThat(idle.isOver(4, 3 * MINUTE)).isFalse();
        assertThat(idle.isOver(4, 4 * MINUTE)).isTrue();
    }
}
