package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnxruntime.OrtException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that products are merged unless one of them is a gradient target. */
class MergedProductsTest {
    private static final int SIZE = 256;

    @Test
    void mergingKeepsGradients() throws OrtException {
        double[] expected = gradient(main("x", "wq"), "x");

        List<ModelProto> merged = List.of(main("x"), main("x", "qk"));

        double close = 1e-5 * Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertThat(close).isPositive();
        for (ModelProto model : merged) {
            assertThat(splits(model)).isEqualTo(1);
            double[] found = gradient(model, "x");
            for (int i = 0; i < SIZE; i++) {
                assertThat(found[i]).as("x_grad[%d]", i).isCloseTo(expected[i], within(close));
            }
        }
    }

    @Test
    void doesNotMergeTargets() throws OrtException {
        assertThat(splits(main("x"))).isEqualTo(1);
        assertThat(splits(main("parameters"))).isZero();
        assertThat(splits(main("wv"))).as("two are left").isZero();
        assertThat(splits(main("q"))).as("an inner value").isZero();
        assertThat(gradient(main("q"), "q")).hasSize(SIZE);
    }

    @Test
    void findsTargetAfterMergedProducts() throws OrtException {
        ModelProto main = main("qk");

        assertThat(splits(main)).isEqualTo(1);
        assertThat(gradient(main, "qk")).hasSize(SIZE);
    }

    private static ModelProto main(String... withRespectTo) {
        ObjectNode block = DifferentiationFixture.object();
        block.putObject("loss").put("output", "loss");
        var words = block.putArray("withRespectTo");
        Arrays.stream(withRespectTo).forEach(words::add);
        CompiledGraph main = DifferentiationFixture.differentiateOrFail(model(), Kind.GRADIENT, block)
                .entries()
                .getFirst();
        assertThat(main.name()).isEqualTo("main");
        return main.model();
    }

    private static ModelProto model() {
        return new Onnx()
                .input("x", ElementType.FLOAT, 1, SIZE)
                .output("loss", ElementType.FLOAT)
                .weights("wq", SIZE, SIZE)
                .weights("wk", SIZE, SIZE)
                .weights("wv", SIZE, SIZE)
                .node("MatMul", List.of("x", "wq"), "q")
                .node("MatMul", List.of("x", "wk"), "k")
                .node("MatMul", List.of("x", "wv"), "v")
                .node("Mul", List.of("q", "k"), "qk")
                .node("Mul", List.of("qk", "v"), "qkv")
                .node("ReduceMean", List.of("qkv"), "loss", Onnx.integer("keepdims", 0))
                .build();
    }

    private static long splits(ModelProto model) {
        Stream<NodeProto> nodes = model.getGraph().getNodeList().stream();
        return nodes.filter(node -> node.getOpType().equals("Split")).count();
    }

    private static double[] gradient(ModelProto model, String name) throws OrtException {
        double[] x = new Random(5).doubles(SIZE, -0.5, 0.5).toArray();
        var feeds = Map.of("x", NdArray.floats(new int[] {1, SIZE}, x));
        return OnnxRuntime.run(model, feeds).get(name + "_grad").reals();
    }
}
