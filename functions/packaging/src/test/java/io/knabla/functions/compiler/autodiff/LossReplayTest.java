package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares every loss with every option to PyTorch; {@code losses.py} wrote the cases. */
class LossReplayTest {
    private static final Offset<Double> CLOSE = Offset.offset(2e-5);

    @TestFactory
    Stream<DynamicTest> likePyTorch() {
        return DifferentiationFixture.cases("/losses/losses.json").stream()
                .flatMap(c -> Stream.of(
                        test(c, "fixed", DifferentiationFixture.dims(c.get("output"))), test(c, "any batch", null)));
    }

    private static DynamicTest test(JsonNode c, String shape, int[] dims) {
        return DynamicTest.dynamicTest(c.get("name").textValue() + " " + shape, () -> check(c, dims != null));
    }

    private static void check(JsonNode c, boolean fixed) throws OrtException {
        Map<String, NdArray> found = OnnxRuntime.run(gradient(c, fixed), feeds(c));

        JsonNode expected = c.get("expected");
        near(found.get("loss"), expected.get("loss"));
        near(found.get("x_grad"), expected.get("gradient"));
    }

    private static ModelProto gradient(JsonNode c, boolean fixed) {
        ObjectNode loss = c.get("loss").deepCopy();
        loss.put("output", "y").put("target", "t");
        ObjectNode block = DifferentiationFixture.object();
        block.set("loss", loss);
        block.putArray("withRespectTo").add("inputs");
        return DifferentiationFixture.differentiateOrFail(
                        model(DifferentiationFixture.dims(c.get("output")), fixed), Kind.GRADIENT, block)
                .entries()
                .getFirst()
                .model();
    }

    private static ModelProto model(int[] dims, boolean fixed) {
        Object[] shape = java.util.Arrays.stream(dims).boxed().toArray();
        if (!fixed) {
            shape[0] = "batch";
        }
        return new Onnx()
                .input("x", ElementType.FLOAT, shape)
                .output("y", ElementType.FLOAT, shape)
                .node("Identity", List.of("x"), "y")
                .build();
    }

    private static Map<String, NdArray> feeds(JsonNode c) {
        NdArray output = DifferentiationFixture.floats(c.get("output"));
        JsonNode target = c.get("target");
        NdArray wanted = c.get("labels").booleanValue()
                ? NdArray.whole(
                        ElementType.INT64,
                        DifferentiationFixture.dims(target),
                        DoubleStream.of(DifferentiationFixture.values(target))
                                .mapToLong(v -> (long) v)
                                .toArray())
                : DifferentiationFixture.floats(target);
        return Map.of("x", output, "t", wanted);
    }

    private static void near(NdArray found, JsonNode expected) {
        assertThat(found.dims()).containsExactly(DifferentiationFixture.dims(expected));
        assertThat(found.reals()).containsExactly(DifferentiationFixture.values(expected), CLOSE);
    }
}
