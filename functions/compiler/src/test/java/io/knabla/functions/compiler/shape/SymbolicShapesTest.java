package io.knabla.functions.compiler.shape;

import static io.knabla.functions.Onnx.integer;
import static io.knabla.functions.Onnx.ints;
import static io.knabla.functions.Onnx.subgraph;
import static io.knabla.functions.Onnx.text;
import static io.knabla.functions.Onnx.value;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Propagation of symbolic sizes through the shape computations that exporters write. */
class SymbolicShapesTest {
    private final Onnx onnx = new Onnx()
            .input("x", ElementType.FLOAT, "batch", "length", 12)
            .input("image", ElementType.FLOAT, "batch", 3, "h", "w")
            .constant("zero", 0)
            .constant("one", 1)
            .constant("two", 2)
            .constant("minus", -1)
            .constant("four", 4)
            .constant("end", Long.MAX_VALUE)
            .node("Shape", List.of("x"), "s")
            .node("Gather", List.of("s", "zero"), "batch")
            .node("Gather", List.of("s", "one"), "length");

    private AbstractStringAssert<?> shape(String name) {
        return Assertions.assertThat(ShapeInference.types(Model.of(onnx.build()))
                .get(name)
                .shape()
                .map(Object::toString)
                .orElse("unknown"));
    }

    @Test
    void tracksArithmeticIntoReshape() {
        onnx.node("Mul", List.of("batch", "length"), "rows")
                .node("Concat", List.of("rows", "minus"), "to", integer("axis", 0))
                .node("Reshape", List.of("x", "to"), "flat")
                .node("Concat", List.of("batch", "length", "minus", "four"), "heads", integer("axis", 0))
                .node("Reshape", List.of("flat", "heads"), "y")
                .node("Flatten", List.of("y"), "f");

        shape("flat").isEqualTo("[batch*length, 12]");
        shape("y").isEqualTo("[batch, length, 3, 4]");
        shape("f").isEqualTo("[batch, 12*length]");
    }

    @Test
    void slicesAndConcatenationsRestoreTheSize() {
        onnx.node("Slice", List.of("x", "one", "end", "one"), "tail")
                .node("Slice", List.of("x", "zero", "minus", "one"), "head")
                .node("Slice", List.of("x", "minus", "end", "one"), "last")
                .node("Concat", List.of("head", "last"), "all", integer("axis", 1))
                .node("Concat", List.of("x", "x"), "double", integer("axis", 1))
                .node("Div", List.of("length", "two"), "middle")
                .node("Slice", List.of("x", "zero", "middle", "one"), "half")
                .node("Slice", List.of("x", "zero", "end", "one", "two"), "even");

        shape("tail").isEqualTo("[batch, length - 1, 12]");
        shape("head").isEqualTo("[batch, length - 1, 12]");
        shape("last").isEqualTo("[batch, 1, 12]");
        shape("all").isEqualTo("[batch, length, 12]");
        shape("double").isEqualTo("[batch, 2*length, 12]");
        shape("half").isEqualTo("[batch, length/2, 12]");
        shape("even").isEqualTo("[batch, (length + 1)/2, 12]");
    }

    @Test
    void slicingSymbolicSizeByNumberIsUnknown() {
        onnx.node("Slice", List.of("x", "zero", "four", "one"), "y");

        shape("y").isEqualTo("[batch, ?, 12]");
    }

    @Test
    void windowsAcceptSymbolicSizes() {
        onnx.weights("w", 8, 3, 3, 3)
                .weights("u", 8, 3, 2, 2)
                .node("Conv", List.of("image", "w"), "same", ints("pads", 1, 1, 1, 1))
                .node("Conv", List.of("image", "w"), "small", ints("pads", 1, 1, 1, 1), ints("strides", 2, 2))
                .node("ConvTranspose", List.of("same", "u"), "large", ints("strides", 2, 2))
                .node("MaxPool", List.of("large"), "back", ints("kernel_shape", 2, 2), ints("strides", 2, 2))
                .node("GlobalAveragePool", List.of("small"), "g");

        shape("same").isEqualTo("[batch, 8, h, w]");
        shape("small").isEqualTo("[batch, 8, (h + 1)/2, (w + 1)/2]");
        shape("large").isEqualTo("[batch, 3, 2*h, 2*w]");
        shape("back").isEqualTo("[batch, 3, h, w]");
    }

    @Test
    void expandWithMinusOneKeepsSymbols() {
        onnx.constant("ones", 1, 1, 1)
                .node("Concat", List.of("batch", "minus", "minus"), "wish", integer("axis", 0))
                .node("Equal", List.of("wish", "minus"), "any")
                .node("Where", List.of("any", "ones", "wish"), "to")
                .node("Expand", List.of("x", "to"), "y")
                .node("Range", List.of("zero", "length", "one"), "positions");

        shape("y").isEqualTo("[batch, length, 12]");
        shape("positions").isEqualTo("[length]");
    }

    @Test
    void elementTypesAreKnownWithoutShapes() {
        onnx.node("Shape", List.of("nothing"), "a")
                .node("ArgMax", List.of("nothing"), "b")
                .node("Cast", List.of("nothing"), "c", integer("to", 11))
                .node("TopK", List.of("nothing", "one"), List.of("d", "e"))
                .node("Less", List.of("nothing", "x"), "f");
        var types = ShapeInference.types(Model.of(onnx.build()));

        assertThat(types.get("a").element()).isEqualTo(ElementType.INT64);
        assertThat(types.get("b").element()).isEqualTo(ElementType.INT64);
        assertThat(types.get("c").element()).isEqualTo(ElementType.DOUBLE);
        assertThat(types.get("e").element()).isEqualTo(ElementType.INT64);
        assertThat(types.get("f").element()).isEqualTo(ElementType.BOOL);
    }

    @Test
    void loopKeepsOnlySizesOfEveryIteration() {
        GraphProto body = GraphProto.newBuilder()
                .addInput(value("i", ElementType.INT64))
                .addInput(value("go", ElementType.BOOL))
                .addInput(value("grows", ElementType.FLOAT, null, null, null))
                .addInput(value("stays", ElementType.FLOAT, null, null, null))
                .addNode(node("Concat", List.of("grows", "x"), "more"))
                .addNode(node("Relu", List.of("stays"), "same"))
                .addNode(node("Relu", List.of("same"), "each"))
                .addOutput(value("go", ElementType.BOOL))
                .addOutput(value("more", ElementType.FLOAT, null, null, null))
                .addOutput(value("same", ElementType.FLOAT, null, null, null))
                .addOutput(value("each", ElementType.FLOAT, null, null, null))
                .build();
        onnx.node("Loop", List.of("four", "", "x", "x"), List.of("a", "b", "c"), subgraph("body", body));

        shape("a").isEqualTo("[?, length, 12]");
        shape("b").isEqualTo("[batch, length, 12]");
        shape("c").isEqualTo("[4, batch, length, 12]");
    }

    @Test
    void nestedLoopsAreNotWalkedExponentially() {
        GraphProto inner = GraphProto.newBuilder().setName("leaf").build();
        for (int depth = 0; depth < 15; depth++) {
            GraphProto.Builder around = GraphProto.newBuilder()
                    .addInput(value("i" + depth, ElementType.INT64))
                    .addInput(value("c" + depth, ElementType.BOOL))
                    .addInput(value("v" + depth, ElementType.FLOAT, null, null, null));
            if (depth > 0) {
                around.addNode(NodeProto.newBuilder()
                        .setOpType("Loop")
                        .addInput("four")
                        .addInput("")
                        .addInput("v" + depth)
                        .addOutput("o" + depth)
                        .addAttribute(subgraph("body", inner)));
            } else {
                around.addNode(node("Concat", List.of("v0", "v0"), "o0"));
            }
            inner = around.addOutput(value("c" + depth, ElementType.BOOL))
                    .addOutput(value("o" + depth, ElementType.FLOAT, null, null, null))
                    .build();
        }
        onnx.node("Loop", List.of("four", "", "x"), "y", subgraph("body", inner));

        shape("y").isEqualTo("[?, ?, ?]");
    }

    private static NodeProto node(String op, List<String> inputs, String output) {
        return NodeProto.newBuilder()
                .setOpType(op)
                .addAllInput(inputs)
                .addOutput(output)
                .addAttribute(integer("axis", 0))
                .build();
    }

    private static TensorProto scales(float... scales) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName("scales")
                .setDataType(ElementType.FLOAT.number())
                .addDims(scales.length);
        for (float scale : scales) {
            tensor.addFloatData(scale);
        }
        return tensor.build();
    }

    @Test
    void resizeScalesSymbols() {
        onnx.initializer(scales(1, 1, 2, 0.5f))
                .node("Resize", List.of("image", "", "scales"), "y", text("mode", "nearest"));

        shape("y").isEqualTo("[batch, 3, 2*h, w/2]");
    }
}
