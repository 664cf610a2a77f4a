package io.knabla.functions.compiler.shape;

import static io.knabla.functions.Onnx.integer;
import static io.knabla.functions.Onnx.ints;
import static io.knabla.functions.Onnx.subgraph;
import static io.knabla.functions.Onnx.text;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Shapes of single operators with symbolic sizes. */
class ShapeInferenceTest {
    private static Arguments of(
            String op, List<List<Object>> shapes, List<long[]> constants, String out, AttributeProto... attributes) {
        return Arguments.of(op, shapes, constants, List.of(attributes), out);
    }

    private static List<Object> dims(Object... dims) {
        return List.of(dims);
    }

    private static long[] of(long... values) {
        return values;
    }

    static Stream<Arguments> operators() {
        return Stream.of(layouts(), computations(), windows()).flatMap(cases -> cases);
    }

    private static Stream<Arguments> layouts() {
        List<Object> x = dims("n", 6, 4);
        return Stream.of(
                of("Reshape", List.of(x), List.of(of(0, -1)), "[n, 24]"),
                of("Reshape", List.of(x), List.of(of(-1, 24)), "[n, 24]"),
                of("Reshape", List.of(dims(2, 6, 4)), List.of(of(4, -1, 3)), "[4, 4, 3]"),
                of("Flatten", List.of(x), List.of(), "[n, 24]", integer("axis", 1)),
                of("Flatten", List.of(dims(2, 6)), List.of(), "[1, 12]", integer("axis", 0)),
                of("Squeeze", List.of(dims(1, "n", 1)), List.of(of(-1)), "[1, n]"),
                of("Unsqueeze", List.of(x), List.of(of(0, -1)), "[1, n, 6, 4, 1]"),
                of("Transpose", List.of(x), List.of(), "[4, 6, n]"),
                of("Transpose", List.of(x), List.of(), "[6, n, 4]", ints("perm", 1, 0, 2)),
                of("Concat", List.of(x, dims("n", 2, 4)), List.of(), "[n, 8, 4]", integer("axis", 1)),
                of("Split", List.of(dims(7, 2)), List.of(), "[4, 2]", integer("axis", 0)),
                of("Expand", List.of(dims("n", 1)), List.of(of(3, 1, 5)), "[3, n, 5]"),
                of("Tile", List.of(dims(2, 3)), List.of(of(2, 3)), "[4, 9]"),
                of("Slice", List.of(x), List.of(of(1), of(-1), of(1)), "[n, 4, 4]"),
                of("Slice", List.of(x), List.of(of(-1), of(-99), of(1), of(-2)), "[n, 3, 4]"),
                of("Slice", List.of(x), List.of(of(0), of(Long.MAX_VALUE), of(0)), "[n, 6, 4]"),
                of("Pad", List.of(dims(2, 3)), List.of(of(1, 0, 2, 4)), "[5, 7]"),
                of("Gather", List.of(x, dims(5, 3)), List.of(), "[n, 5, 3, 4]", integer("axis", 1)),
                of("TopK", List.of(x), List.of(of(3)), "[n, 6, 3]"),
                of("DepthToSpace", List.of(dims(1, 8, 2, 3)), List.of(), "[1, 2, 4, 6]", integer("blocksize", 2)));
    }

    private static Stream<Arguments> computations() {
        List<Object> x = dims("n", 6, 4);
        return Stream.of(
                of("Add", List.of(x, dims(6, 1)), List.of(), "[n, 6, 4]"),
                of("Add", List.of(dims("n", 1), dims("m")), List.of(), "[n, m]"),
                of("Add", List.of(dims("n"), dims("m")), List.of(), "[?]"),
                of("MatMul", List.of(x, dims(4, 9)), List.of(), "[n, 6, 9]"),
                of("MatMul", List.of(dims(4), dims("n", 4, 9)), List.of(), "[n, 9]"),
                of(
                        "Gemm",
                        List.of(dims(4, "n"), dims(9, 4)),
                        List.of(),
                        "[n, 9]",
                        integer("transA", 1),
                        integer("transB", 1)),
                of(
                        "Einsum",
                        List.of(dims("n", 2, 3), dims("n", 3, 5)),
                        List.of(),
                        "[n, 2, 5]",
                        text("equation", "...ij,...jk->...ik")),
                of("Einsum", List.of(dims(2, 3), dims(3, 5)), List.of(), "[2, 5]", text("equation", "ij,jk")),
                of("ReduceMean", List.of(x), List.of(), "[n, 1, 4]", ints("axes", 1)),
                of("ReduceSum", List.of(x), List.of(of(-1)), "[n, 6]", integer("keepdims", 0)),
                of("ArgMax", List.of(x), List.of(), "[n, 4]", integer("axis", 1), integer("keepdims", 0)),
                of("Softmax", List.of(x), List.of(), "[n, 6, 4]"),
                of("GRU", List.of(dims("s", "n", 5), dims(2, 9, 5), dims(2, 9, 3)), List.of(), "[s, 2, n, 3]"));
    }

    private static Stream<Arguments> windows() {
        List<Object> image = dims("n", 3, 7, 7);
        AttributeProto kernel = ints("kernel_shape", 3, 3);
        AttributeProto stride = ints("strides", 2, 2);
        return Stream.of(
                of("Conv", List.of(image, dims(8, 3, 3, 3)), List.of(), "[n, 8, 5, 5]"),
                of(
                        "Conv",
                        List.of(image, dims(8, 3, 3, 3)),
                        List.of(),
                        "[n, 8, 4, 4]",
                        stride,
                        text("auto_pad", "SAME_UPPER")),
                of("Conv", List.of(image, dims(8, 3, 3, 3)), List.of(), "[n, 8, 3, 3]", ints("dilations", 2, 2)),
                of("MaxPool", List.of(dims(1, 3, 8, 8)), List.of(), "[1, 3, 3, 3]", kernel, stride),
                of(
                        "MaxPool",
                        List.of(dims(1, 3, 8, 8)),
                        List.of(),
                        "[1, 3, 4, 4]",
                        kernel,
                        stride,
                        integer("ceil_mode", 1)),
                of("GlobalAveragePool", List.of(image), List.of(), "[n, 3, 1, 1]"),
                of(
                        "ConvTranspose",
                        List.of(image, dims(3, 5, 3, 3)),
                        List.of(),
                        "[n, 5, 16, 16]",
                        stride,
                        ints("output_padding", 1, 1)));
    }

    @ParameterizedTest(name = "{0} {1} -> {4}")
    @MethodSource("operators")
    void infersShape(
            String op, List<List<Object>> shapes, List<long[]> constants, List<AttributeProto> attributes, String out) {
        var onnx = new Onnx();
        var inputs = new ArrayList<String>();
        for (List<Object> shape : shapes) {
            inputs.add("x" + inputs.size());
            onnx.input(inputs.getLast(), ElementType.FLOAT, shape.toArray());
        }
        for (long[] constant : constants) {
            inputs.add("x" + inputs.size());
            onnx.constant(inputs.getLast(), constant);
        }
        List<String> outputs = op.equals("Split") ? List.of("y", "z") : List.of("y");
        onnx.node(op, inputs, outputs, attributes.toArray(AttributeProto[]::new));

        TensorType type = ShapeInference.types(Model.of(onnx.build())).get("y");

        assertThat(type.shape().orElseThrow()).hasToString(out);
    }

    @Test
    void keepsSymbolsInComputedShapes() {
        Model model = Model.of(new Onnx()
                .input("x", ElementType.FLOAT, "batch", "length", 12)
                .constant("first", 0)
                .constant("second", 1)
                .constant("rest", 3, 4)
                .node("Shape", List.of("x"), "s")
                .node("Gather", List.of("s", "first"), "b")
                .node("Gather", List.of("s", "second"), "l")
                .node("Concat", List.of("b", "l", "rest"), "to", integer("axis", 0))
                .node("Reshape", List.of("x", "to"), "y")
                .build());

        assertThat(ShapeInference.types(model).get("y").shape().orElseThrow()).hasToString("[batch, length, 3, 4]");
    }

    @Test
    void knowsBothOutputsOfABranchThatListsOneTwice() {
        var twice = new Onnx()
                .output("t", ElementType.FLOAT, "n")
                .output("t", ElementType.FLOAT, "n")
                .node("Neg", List.of("x"), "t")
                .graph();
        Model model = Model.of(new Onnx()
                .input("x", ElementType.FLOAT, "n")
                .input("c", ElementType.BOOL)
                .node(
                        "If",
                        List.of("c"),
                        List.of("y", "z"),
                        subgraph("then_branch", twice),
                        subgraph("else_branch", twice))
                .build());

        assertThat(ShapeInference.types(model).get("z").shape().orElseThrow()).hasToString("[n]");
    }

    @Test
    void toleratesMalformedNodes() {
        Model model = Model.of(new Onnx()
                .input("x", ElementType.FLOAT, 2)
                .node("Conv", List.of("x"), "a")
                .node("Transpose", List.of("x"), "b", ints("perm", 5))
                .node("MaxPool", List.of("x"), "c", ints("kernel_shape", 1, 2, 3))
                .node("If", List.of("x"), "d")
                .node("Split", List.of("x"), "e", integer("axis", -7))
                .build());

        assertThat(ShapeInference.types(model)).containsKeys("a", "b", "c", "d", "e");
        assertThat(ShapeInference.types(model).get("a").shape()).isEmpty();
    }
}
