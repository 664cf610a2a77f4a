package io.knabla.controller.simulate.warm.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MinuteCountsTest {
    @Test
    void requestsLieInTheirMinutes() {
        MinuteCounts counts = new MinuteCounts();
        counts.add("a", 1002, 2, 3);
        counts.add("a", 1000, 1, 0.5);
        counts.add("b", 1003, 0, 0);
        counts.add("b", 1001, 60, 60);
        Trace trace = counts.trace("ledger", 7);

        assertThat(trace.endMillis()).isEqualTo(180_000);
        assertThat(trace.requests()).isEqualTo(63);
        FunctionTrace first = trace.functions().getFirst();
        assertThat(first.name()).isEqualTo("a");
        assertThat(Arrays.stream(first.startMillis()).map(at -> at / 60_000)).containsExactly(0L, 2L, 2L);
        assertThat(first.durationMillis()).containsExactly(500, 1500, 1500);
        assertThat(trace.functions().getLast().durationMillis()).containsOnly(1000);
    }

    @Test
    void noRequestsAreAnEmptyTrace() {
        assertThat(new MinuteCounts().trace("ledger", 7)).isEqualTo(Trace.of("ledger", List.of()));
    }
}
