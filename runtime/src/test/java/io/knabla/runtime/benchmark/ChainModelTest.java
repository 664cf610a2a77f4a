package io.knabla.runtime.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChainModelTest {
    private static final List<Long> MATRIX = List.of(8L, 8L);

    private static float[] run(byte[] model, float number) throws OrtException {
        OrtEnvironment engine = OrtEnvironment.getEnvironment();
        try (var session = engine.createSession(model);
                var input = OnnxTensor.createTensor(engine, new float[] {number});
                var answer = session.run(Map.of("a", input));
                var slice = (OnnxTensor) answer.get(0)) {
            float[] values = new float[(int) slice.getInfo().getNumElements()];
            slice.getFloatBuffer().get(values);
            return values;
        }
    }

    @Test
    void addsAsOftenAsItIsLong() throws OrtException {
        assertThat(run(new ChainModel("Add", List.of(4L), List.of(4L), 9).inFloat(), 0.5f))
                .containsExactly(5);
    }

    /** Sums of so many terms keep their value, so that no chain ends in infinities. */
    @Test
    void productsKeepTheirValue() throws OrtException {
        assertThat(run(new ChainModel("MatMul", MATRIX, MATRIX, 3).inFloat(), 1 / 8f))
                .hasSize(8)
                .containsOnly(1 / 8f);
        assertThat(run(new ChainModel("MatMul", MATRIX, MATRIX, 3).inHalf(), 1 / 8f))
                .hasSize(8)
                .containsOnly(1 / 8f);
    }

    @Test
    void convolutionsArePadded() throws OrtException {
        float[] values = run(new ChainModel("Conv", List.of(2L, 4L, 5L, 5L), List.of(4L, 4L, 3L, 3L), 2).inFloat(), 1f);

        assertThat(values).hasSize(4 * 5 * 5);
        // The middle pixel of 5×5 sees 3×3 pixels that each saw 3×3.
        assertThat(values[12]).isCloseTo(36f * 36f, within(0.01f));
        assertThat(values[0]).isLessThan(values[12]);
    }
}
