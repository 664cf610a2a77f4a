package io.knabla.functions.compiler.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void negativeAxisCountsFromTheBack() {
        assertThat(Axis.fromFront(-1, 4)).isEqualTo(3);
        assertThat(Axis.fromFront(2L, 4)).isEqualTo(2);
    }

    @Test
    void axisMustExist() {
        assertThat(Axis.within(-4, 4)).hasValue(0);
        assertThat(Axis.within(3, 4)).hasValue(3);
        assertThat(Axis.within(-5, 4)).isEmpty();
        assertThat(Axis.within(4, 4)).isEmpty();
        assertThat(Axis.within(Long.MIN_VALUE, 4)).isEmpty();
    }
}
