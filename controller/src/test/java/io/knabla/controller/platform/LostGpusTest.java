package io.knabla.controller.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostGpusTest {
    private static final GpuError FELL = new GpuError(79, true, "it fell off the bus");
    private static final Instant NOW = Instant.EPOCH;

    private final LostGpus lost = new LostGpus(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void aNodeWithoutItsGpuIsClosedForAWhile() {
        lost.told("gpu-a", FELL);
        Instant until = NOW.plus(LostGpus.CLOSED);

        assertThat(lost.of("gpu-a", NOW)).contains(new LostGpus.Loss(FELL, until));
        assertThat(lost.of("gpu-a", until.minusSeconds(1))).isPresent();
        assertThat(lost.of("gpu-a", until)).isEmpty();
        assertThat(lost.of("gpu-b", NOW)).isEmpty();
    }

    @Test
    void anErrorOfOneProcessClosesNothing() {
        lost.told("gpu-a", new GpuError(13, false, "a kernel failed"));

        assertThat(lost.of("gpu-a", NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            79 | the GPU was lost: gone (CUDA error 719); exit code 6 | Xid79
            0  | the GPU was lost: gone (CUDA error 719); exit code 6 | CudaError719
            0  | the GPU was lost: gone (CUDA error 1); exit code 6   | unknown
            0  | exit code 6                                          | unknown
            7  | exit code 6                                          | unknown
            """)
    void theDriversErrorIsTheReasonBeforeCudas(int xid, String sentence, GpuLossReason reason) {
        Optional<GpuError> error = Optional.of(new GpuError(xid, true, "")).filter(one -> one.xid() > 0);

        assertThat(GpuLossReason.of(error, sentence)).isEqualTo(reason);
    }
}
