package io.knabla.runtime.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.schedule.Step.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UtilizationTest {
    private static final ScheduleLimits LIMITS = new ScheduleLimits(4, 160, 20);
    private static final Optional<Duration> OBJECTIVE = Optional.of(Duration.ofNanos(1000));
    private static final double NANOS_PER_TOKEN = 10;

    private static double most(List<SequenceLoad> running, List<SequenceLoad> waiting, Reason reason) {
        return Utilization.of(LIMITS, running, waiting, reason, NANOS_PER_TOKEN).most(OBJECTIVE);
    }

    /** Of a text; its memory is charged in blocks of 16 tokens. */
    private static SequenceLoad decoding(long id, int tokens) {
        return new SequenceLoad(id, 2, tokens, tokens - 1, 100);
    }

    private static SequenceLoad unread(long id, int prompt) {
        return new SequenceLoad(id, prompt, prompt, 0, 100);
    }

    @Test
    void whatRunsAndWaitsTakesSlots() {
        assertThat(most(List.of(), List.of(), Reason.NONE_WAITS)).isZero();
        assertThat(most(List.of(decoding(1, 3)), List.of(), Reason.NONE_WAITS)).isEqualTo(0.25);
        assertThat(most(
                        List.of(decoding(1, 3), decoding(2, 3), decoding(3, 3), decoding(4, 3)),
                        List.of(unread(5, 3), unread(6, 3)),
                        Reason.SEQUENCES_FULL))
                .isEqualTo(1.5);
    }

    @Test
    void whereMemoryIsFullOnlyWhatRunsHasASlot() {
        assertThat(most(List.of(decoding(1, 100)), List.of(unread(2, 100)), Reason.MEMORY_FULL))
                .isEqualTo(2);
        assertThat(most(List.of(decoding(1, 100)), List.of(unread(2, 100)), Reason.PREEMPTED))
                .isEqualTo(2);
    }

    @Test
    void sequencesThatShareTheMemoryUseIt() {
        assertThat(most(List.of(decoding(1, 64), decoding(2, 80)), List.of(), Reason.NONE_WAITS))
                .isEqualTo(0.9);
        // Another replica would not help it.
        assertThat(most(List.of(decoding(1, 144)), List.of(), Reason.NONE_WAITS))
                .isEqualTo(0.25);
    }

    @Test
    void promptsThatWaitForEachOtherAreLate() {
        List<SequenceLoad> prompts = List.of(unread(1, 60), unread(2, 90));
        assertThat(most(List.of(), prompts, Reason.SEQUENCES_FULL)).isEqualTo(1.5);
        assertThat(Utilization.of(LIMITS, List.of(), prompts, Reason.SEQUENCES_FULL, NANOS_PER_TOKEN)
                        .most(Optional.empty()))
                .isEqualTo(0.5);
        // Another replica would not read it sooner.
        assertThat(most(List.of(unread(1, 150)), List.of(), Reason.NONE_WAITS)).isEqualTo(0.25);
    }
}
