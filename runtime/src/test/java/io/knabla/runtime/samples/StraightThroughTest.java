package io.knabla.runtime.samples;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests estimated gradients of a model in QDQ format: rounding passes them, clipping does not. */
class StraightThroughTest {
    private static final String SPEC = """
            type: Gradient
            gradient: {loss: {output: "y", function: MSE, target: t}, withRespectTo: [x, W]%s}
            """;

    /** W, of which each row has a scale of its own; its last element is beyond 127 steps. */
    private static final float[] WEIGHTS = {0.5f, -1.04f, 0.27f, 1, -0.75f, 50};

    private static TensorProto floats(String name, float[] values, long... dims) {
        var tensor = TensorProto.newBuilder().setName(name).setDataType(ElementType.FLOAT.number());
        for (long dim : dims) {
            tensor.addDims(dim);
        }
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return tensor.build();
    }

    private static TensorProto zeroPoint(String name, int count, long... dims) {
        var tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(ElementType.INT8.number())
                .setRawData(ByteString.copyFrom(new byte[count]));
        for (long dim : dims) {
            tensor.addDims(dim);
        }
        return tensor.build();
    }

    /** y = x·W with activations in steps of 0.1 and weights in steps of 0.05, 0.1 and 0.2. */
    private static ModelProto quantized() {
        return new Onnx()
                .input("x", FLOAT, "batch", 3)
                .output("y", FLOAT, "batch", 2)
                .initializer(floats("W", WEIGHTS, 3, 2))
                .initializer(floats("scale", new float[] {0.1f}))
                .initializer(zeroPoint("zero", 1))
                .initializer(floats("scales", new float[] {0.05f, 0.1f, 0.2f}, 3))
                .initializer(zeroPoint("zeros", 3, 3))
                .node("QuantizeLinear", List.of("x", "scale", "zero"), "xq")
                .node("DequantizeLinear", List.of("xq", "scale", "zero"), "xd")
                .node("QuantizeLinear", List.of("W", "scales", "zeros"), "Wq", Onnx.integer("axis", 0))
                .node("DequantizeLinear", List.of("Wq", "scales", "zeros"), "Wd", Onnx.integer("axis", 0))
                .node("MatMul", List.of("xd", "Wd"), "y")
                .build();
    }

    private static float[] output(JsonNode answer, String name) {
        for (JsonNode output : answer.path("outputs")) {
            if (output.path("name").asText().equals(name)) {
                float[] data = new float[output.path("data").size()];
                for (int i = 0; i < data.length; i++) {
                    data[i] = output.path("data").get(i).floatValue();
                }
                return data;
            }
        }
        throw new AssertionError(answer);
    }

    @Test
    void roundingPassesGradientsAndClippingDoesNot() throws Exception {
        try (var unit = TestUnit.of(quantized(), SPEC.formatted(", straightThrough: true"));
                var replica = new TestReplica(unit)) {
            JsonNode answer = new ObjectMapper().readTree(replica.infer("""
                            {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [0.26, -0.31, 100]},
                                        {"name": "t", "datatype": "FP32", "shape": [1, 2], "data": [1, -1]}]}
                            """).body());

            double[] x = {0.3, -0.3, 12.7};
            double[][] w = {{0.5, -1.05}, {0.3, 1}, {-0.8, 25.4}};
            double[] t = {1, -1};
            double[] dy = new double[2];
            for (int j = 0; j < 2; j++) {
                double y = 0;
                for (int i = 0; i < 3; i++) {
                    y += x[i] * w[i][j];
                }
                dy[j] = y - t[j];
            }
            float[] xGrad = output(answer, "x_grad");
            float[] wGrad = output(answer, "W_grad");
            for (int i = 0; i < 3; i++) {
                double through = dy[0] * w[i][0] + dy[1] * w[i][1];
                assertThat(xGrad[i]).isCloseTo(i == 2 ? 0 : (float) through, offset(1e-2f));
                for (int j = 0; j < 2; j++) {
                    boolean clipped = i == 2 && j == 1;
                    assertThat(wGrad[2 * i + j]).isCloseTo(clipped ? 0 : (float) (x[i] * dy[j]), offset(1e-2f));
                }
            }
        }
    }

    @Test
    void withoutTheOptionTheMessageNamesIt() {
        assertThatThrownBy(() -> TestUnit.of(quantized(), SPEC.formatted("")))
                .hasMessageContaining("QuantizeLinear")
                .hasMessageContaining("straightThrough: true");
    }

    @Test
    void aScaleHasNoEstimate() {
        assertThatThrownBy(() -> TestUnit.of(
                        quantized(), SPEC.formatted(", straightThrough: true").replace("[x, W]", "[scales]")))
                .hasMessageContaining("estimates no gradient of its scale");
    }
}
