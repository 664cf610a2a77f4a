package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotOvercommitTest {
    private static final long MILLISECOND = 1_000_000;

    private final SlotOvercommit overcommit = new SlotOvercommit();

    @Test
    void aReplicaThatHasAnsweredLittleGetsNoMoreThanItsSlots() {
        answers(99, MILLISECOND);
        assertThat(overcommit.requests()).isZero();
    }

    @Test
    void aFastReplicaGetsMore() {
        answers(100, MILLISECOND);
        assertThat(overcommit.requests()).isEqualTo(16);
    }

    @Test
    void aSlowReplicaNeverDoes() {
        answers(1_000, 6 * MILLISECOND);
        assertThat(overcommit.requests()).isZero();
    }

    @Test
    void afterOneSlowResponseManyFastOnesMustFollow() {
        answers(1_000, MILLISECOND);
        answers(1, 500 * MILLISECOND);
        assertThat(overcommit.requests()).isZero();
        answers(450, MILLISECOND);
        assertThat(overcommit.requests()).isZero();
        answers(10, MILLISECOND);
        assertThat(overcommit.requests()).isEqualTo(16);
    }

    private void answers(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            overcommit.answered(nanos);
        }
    }
}
