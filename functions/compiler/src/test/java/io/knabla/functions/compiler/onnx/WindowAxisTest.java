package io.knabla.functions.compiler.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowAxisTest {
    @ParameterizedTest
    @CsvSource({
        "7, 3, 2, 1, 0, 0, false, 3",
        "8, 3, 2, 1, 0, 0, false, 3",
        "8, 3, 2, 1, 0, 0, true, 4",
        "7, 3, 2, 2, 1, 1, false, 3",
        // The fourth window would start at 6, which is all padding.
        "4, 2, 3, 1, 1, 2, true, 2",
        "2, 3, 1, 1, 0, 0, false, 0"
    })
    void countsPositions(
            long size, long kernel, long stride, long dilation, long begin, long end, boolean ceil, long positions) {
        assertThat(new WindowAxis(kernel, stride, dilation, begin, end).positions(size, ceil))
                .isEqualTo(positions);
    }

    @ParameterizedTest
    @CsvSource({"7, 4, 2, SAME_UPPER, 1, 2", "7, 4, 2, SAME_LOWER, 2, 1", "6, 1, 3, SAME_UPPER, 0, 0"})
    void padsForOnePositionAStride(long size, long kernel, long stride, AutoPad auto, long begin, long end) {
        WindowAxis axis = new WindowAxis(kernel, stride, 1, 9, 9).same(size, auto);
        assertThat(axis).isEqualTo(new WindowAxis(kernel, stride, 1, begin, end));
        assertThat(axis.positions(size, false)).isEqualTo(Math.ceilDiv(size, stride));
    }

    @Test
    void coversWhatATransposedConvolutionWrites() {
        WindowAxis axis = new WindowAxis(3, 2, 2, 0, 0);
        assertThat(axis.covered(4)).isEqualTo(11);
        assertThat(axis.covering(4, 8, AutoPad.NOTSET)).isEqualTo(new WindowAxis(3, 2, 2, 2, 1));
        assertThat(axis.covering(4, 20, AutoPad.NOTSET)).isEqualTo(axis);
    }

    @Test
    void unknownTextIsNoAutoPad() {
        assertThat(AutoPad.of("")).isEqualTo(AutoPad.NOTSET);
        assertThat(AutoPad.of("SAME_LOWER").same()).isTrue();
    }
}
