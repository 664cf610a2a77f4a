package io.knabla.runtime.serve;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;

/** Models for replica tests. */
final class TestModels {
    private TestModels() {}

    /** {@code y = x}, of any type. */
    static ModelProto identity(ElementType type) {
        return new Onnx()
                .input("x", type, "n")
                .output("y", type, "n")
                .node("Identity", List.of("x"), "y")
                .build();
    }

    /** {@code y = values[i]} for each row; an out-of-range index fails in the engine, not before. */
    static ModelProto pick(long... values) {
        return new Onnx()
                .input("i", ElementType.INT64, "batch", 1)
                .output("y", ElementType.INT64, "batch", 1)
                .constant("values", values)
                .node("Gather", List.of("values", "i"), "y")
                .build();
    }

    /** Multiplies a matrix of {@code shape}, all ones, by itself: one operator, which the engine cannot stop. */
    static ModelProto oneLongOperator() {
        return new Onnx()
                .input("shape", ElementType.INT64, 2)
                .output("y", ElementType.FLOAT, "n", "n")
                .node("ConstantOfShape", List.of("shape"), "a")
                .node("MatMul", List.of("a", "a"), "y")
                .build();
    }

    /** Loops {@code trips} times; only the engine's terminate flag ends it early. */
    static ModelProto loop() {
        var body = new Onnx()
                .input("i", ElementType.INT64)
                .input("go", ElementType.BOOL)
                .input("v", ElementType.FLOAT, 1)
                .output("going", ElementType.BOOL)
                .output("w", ElementType.FLOAT, 1)
                .node("Identity", List.of("go"), "going")
                .node("Add", List.of("v", "v"), "w")
                .graph();
        return new Onnx()
                .input("trips", ElementType.INT64, 1)
                .input("x", ElementType.FLOAT, 1)
                .output("y", ElementType.FLOAT, 1)
                .node("Loop", List.of("trips", "", "x"), "y", Onnx.subgraph("body", body))
                .build();
    }
}
