package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FiniteCheckTest {
    private static final int COUNT = 5;

    private static Tensor with(DataType type, int at, double value) {
        ByteBuffer data = ByteBuffer.allocate(COUNT * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < COUNT; i++) {
            Elements.put(type, data, i, i == at ? value : 1, 1);
        }
        return Tensor.numbers("t", type, new long[] {COUNT}, data);
    }

    @ParameterizedTest
    @EnumSource(names = {"FP16", "BF16", "FP32", "FP64"})
    void findsNonFiniteElementAtAnyIndex(DataType type) {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            for (int at = 0; at < COUNT; at++) {
                assertThat(FiniteCheck.allFinite(with(type, at, bad)))
                        .as("%s at %d", bad, at)
                        .isFalse();
            }
        }
        assertThat(FiniteCheck.allFinite(with(type, -1, 0))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"FP16, 65504", "BF16, 3.3e38", "FP32, 3.4e38", "FP64, 1.7e308"})
    void theLargestNumbersAreFinite(DataType type, double largest) {
        assertThat(FiniteCheck.allFinite(with(type, 2, largest))).isTrue();
        assertThat(FiniteCheck.allFinite(with(type, 2, -largest))).isTrue();
    }

    @Test
    void integersAndTextsAreFinite() {
        assertThat(FiniteCheck.allFinite(with(DataType.INT64, 0, 1))).isTrue();
        assertThat(FiniteCheck.allFinite(Tensor.texts("t", new long[] {1}, new byte[][] {{'N', 'a', 'N'}})))
                .isTrue();
    }
}
