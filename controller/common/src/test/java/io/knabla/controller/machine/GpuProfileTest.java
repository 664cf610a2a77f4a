package io.knabla.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.functions.compiler.pool.NodeKind;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.NodeKind.Source;
import io.knabla.functions.compiler.pool.NodeKinds;
import io.knabla.functions.unit.GpuFigure;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuProfileTest {
    private static NodeKind kind(String name, Map<GpuFigure, Double> rates) {
        return new GpuProfile(name, rates).kind(NodeKinds.gpus());
    }

    @Test
    void whatWasMeasuredTakesThePlaceOfWhatIsAssumed() {
        NodeKind kind = kind(
                "NVIDIA L4",
                Map.of(
                        GpuFigure.tf32, 4e13,
                        GpuFigure.convolution, 1e13,
                        GpuFigure.linkBytesPerSecond, 3e9,
                        GpuFigure.launchSeconds, 5e-6));

        assertThat(kind.name()).isEqualTo("g6.xlarge");
        assertThat(kind.device()).isEqualTo("NVIDIA L4");
        assertThat(kind.efficiency().source()).isEqualTo(Source.measured);
        assertThat(kind.peaks().of(Precision.TF32)).isEqualTo(4e13);
        assertThat(kind.efficiency().convolutionShare()).isEqualTo(0.25);
        assertThat(kind.linkBytesPerSecond()).isEqualTo(3e9);
        assertThat(kind.efficiency().launchSeconds()).isEqualTo(5e-6);
        // Half of the data sheet's 30 TFLOP/s, and 0.7 of its 300 GB/s.
        assertThat(kind.peaks().of(Precision.FLOAT32)).isCloseTo(15e12, within(1e9));
        assertThat(kind.bytesPerSecond()).isCloseTo(210e9, within(1e6));
        assertThat(kind.efficiency().callSeconds()).isEqualTo(60e-6);
    }

    @Test
    void aGpuThatTheTableLacksIsLikeTheOneOfTheNearestSpeed() {
        assertThat(kind("NVIDIA H200", Map.of(GpuFigure.float32, 5e13)).name()).isEqualTo("like p5.4xlarge");
        assertThat(kind("NVIDIA GTX 1650", Map.of(GpuFigure.float32, 2e12)).name())
                .isEqualTo("like g4dn.xlarge");
    }

    /** An L40S is no L4. */
    @Test
    void namesAreComparedByWords() {
        assertThat(kind("NVIDIA L40S", Map.of(GpuFigure.float32, 5e13)).name()).startsWith("like ");
    }

    @Test
    void tellsWhatStaysAssumed() {
        assertThat(new GpuProfile("NVIDIA L4", Map.of(GpuFigure.tf32, 1.0)).missing())
                .contains(GpuFigure.half, GpuFigure.convolution)
                .doesNotContain(GpuFigure.tf32);
    }
}
