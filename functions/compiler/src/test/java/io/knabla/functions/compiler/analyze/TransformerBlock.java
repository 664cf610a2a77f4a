package io.knabla.functions.compiler.analyze;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;

/** An encoder block as exporters write it: heads split by Shape, Gather, Concat and Reshape. */
final class TransformerBlock {
    private TransformerBlock() {}

    static ModelProto model(long width, long heads) {
        Onnx onnx = new Onnx()
                .input("x", ElementType.FLOAT, "batch", "length", width)
                .output("y", ElementType.FLOAT, "batch", "length", width)
                .constant("zero", 0)
                .constant("one", 1)
                .constant("heads", heads)
                .constant("size", width / heads)
                .constant("width", width)
                .weights("scale", width)
                .weights("up", width, 4 * width)
                .weights("down", 4 * width, width)
                .node("Shape", List.of("x"), "shape")
                .node("Gather", List.of("shape", "zero"), "b")
                .node("Gather", List.of("shape", "one"), "s")
                .node("Concat", List.of("b", "s", "heads", "size"), "split", Onnx.integer("axis", 0))
                .node("Concat", List.of("b", "s", "width"), "joined", Onnx.integer("axis", 0));
        for (String part : List.of("q", "k", "v")) {
            onnx.weights("w" + part, width, width)
                    .node("MatMul", List.of("x", "w" + part), part + "1")
                    .node("Reshape", List.of(part + "1", "split"), part + "2")
                    .node(
                            "Transpose",
                            List.of(part + "2"),
                            part,
                            part.equals("k") ? Onnx.ints("perm", 0, 2, 3, 1) : Onnx.ints("perm", 0, 2, 1, 3));
        }
        return onnx.weights("wo", width, width)
                .node("MatMul", List.of("q", "k"), "scores")
                .node("Softmax", List.of("scores"), "p", Onnx.integer("axis", -1))
                .node("MatMul", List.of("p", "v"), "c")
                .node("Transpose", List.of("c"), "c1", Onnx.ints("perm", 0, 2, 1, 3))
                .node("Reshape", List.of("c1", "joined"), "c2")
                .node("MatMul", List.of("c2", "wo"), "o")
                .node("Add", List.of("x", "o"), "r")
                .node("LayerNormalization", List.of("r", "scale"), "n")
                .node("MatMul", List.of("n", "up"), "f")
                .node("Gelu", List.of("f"), "g")
                .node("MatMul", List.of("g", "down"), "z")
                .node("Add", List.of("r", "z"), "y")
                .build();
    }
}
