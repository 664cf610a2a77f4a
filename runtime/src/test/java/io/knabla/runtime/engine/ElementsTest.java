package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementsTest {
    private final ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    @ParameterizedTest
    @CsvSource({
        "BOOL, 0, true",
        "BOOL, 1, true",
        "BOOL, 2, false",
        "BOOL, -1, false",
        "UINT8, 255, true",
        "UINT8, 256, false",
        "UINT8, -1, false",
        "INT8, 127, true",
        "INT8, 128, false",
        "INT8, -128, true",
        "INT8, -129, false",
        "UINT16, 65535, true",
        "UINT16, 65536, false",
        "INT16, -32768, true",
        "INT16, 32768, false",
        "UINT32, 4294967295, true",
        "UINT32, 4294967296, false",
        "INT32, 2147483647, true",
        "INT32, 2147483648, false",
        "INT32, -2147483648, true",
        "INT64, 9007199254740993, true",
        "INT64, -9223372036854775808, true",
        "INT64, 9223372036854775807, true"
    })
    void integersAreWrittenAndReadBackOrRefused(DataType type, long value, boolean fits) {
        assertThat(Elements.put(type, data, 3, value, value)).isEqualTo(fits);
        if (fits) {
            assertThat(Elements.integer(type, data, 3)).isEqualTo(value);
            assertThat(Elements.real(type, data, 3)).isEqualTo((double) value);
        }
    }

    @Test
    void readsAndWritesLargeUnsignedLongs() {
        assertThat(Elements.put(DataType.UINT64, data, 1, 0x1p64, -1)).isTrue();
        assertThat(Elements.real(DataType.UINT64, data, 1)).isEqualTo(0x1p64);
        assertThat(Elements.put(DataType.UINT64, data, 1, 0x1p63, Long.MIN_VALUE))
                .isTrue();
        assertThat(Elements.real(DataType.UINT64, data, 1)).isEqualTo(0x1p63);
        assertThat(Elements.put(DataType.UINT64, data, 1, 0x1p64, 0)).isFalse();
        assertThat(Elements.put(DataType.UINT64, data, 1, -1, -1)).isFalse();
        assertThat(Elements.put(DataType.INT64, data, 1, 0x1p63, Long.MIN_VALUE))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "FP64, 0.1, 0.1",
        "FP32, 0.1, 0.10000000149011612",
        "FP16, 0.1, 0.0999755859375",
        "FP16, -65504, -65504",
        "BF16, -2.5, -2.5",
        "BF16, 0.3, 0.30078125",
        "BF16, 1.00390625, 1",
        "BF16, 1.01171875, 1.015625",
        "BF16, NaN, NaN"
    })
    void fractionsAreWrittenAsNearAsTheTypeCan(DataType type, double value, double near) {
        assertThat(Elements.put(type, data, 2, value, 0)).isTrue();
        assertThat(Elements.real(type, data, 2)).isEqualTo(Double.valueOf(near));
    }

    @Test
    void rejectsFractionsForIntegerTypes() {
        assertThat(Elements.put(DataType.INT32, data, 0, 1.5, 1)).isFalse();
        assertThat(Elements.put(DataType.INT64, data, 0, Double.NaN, 0)).isFalse();
    }

    @Test
    void respectsBufferPosition() {
        data.position(8);
        Elements.put(DataType.FP32, data, 1, 7, 0);
        assertThat(data.getFloat(12)).isEqualTo(7);
        assertThat(Elements.real(DataType.FP32, data, 1)).isEqualTo(7);
    }
}
