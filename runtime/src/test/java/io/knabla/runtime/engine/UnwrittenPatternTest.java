package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class UnwrittenPatternTest {
    private static Tensor filled(DataType type, int bytes) {
        Tensor tensor = Tensor.numbers("y", type, new long[] {bytes / type.bytes()}, ByteBuffer.allocateDirect(bytes));
        assertThat(UnwrittenPattern.fill(tensor)).isTrue();
        return tensor;
    }

    @Test
    void unwrittenMemoryIsSeen() {
        assertThat(UnwrittenPattern.isOverwritten(filled(DataType.FP32, 40))).isFalse();
        assertThat(UnwrittenPattern.isOverwritten(filled(DataType.FP32, 4))).isFalse();
        assertThat(UnwrittenPattern.isOverwritten(filled(DataType.BOOL, 1))).isFalse();
    }

    @Test
    void oneUnwrittenWordIsSeen() {
        Tensor tensor = filled(DataType.FP32, 44);
        for (int i = 0; i < 36; i++) {
            tensor.data().put(i, (byte) 0);
        }

        assertThat(UnwrittenPattern.isOverwritten(tensor)).isFalse();
        tensor.data().put(40, (byte) 0);
        assertThat(UnwrittenPattern.isOverwritten(tensor)).isTrue();
    }

    @Test
    void aNumberMayEqualThePattern() {
        assertThat(UnwrittenPattern.isOverwritten(filled(DataType.UINT8, 1))).isTrue();
        assertThat(UnwrittenPattern.isOverwritten(filled(DataType.FP32, 0))).isTrue();
    }
}
