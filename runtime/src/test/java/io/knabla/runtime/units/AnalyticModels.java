package io.knabla.runtime.units;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** Models whose gradients and training steps were derived by hand. */
public final class AnalyticModels {
    /** {@code W} of {@link #tanh}: 3 x 2. */
    public static final float[] W = {0.5f, -0.3f, 0.2f, 0.8f, -0.6f, 0.1f};

    private AnalyticModels() {}

    public static ByteBuffer floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return bytes.flip();
    }

    private static TensorProto tensor(String name, float[] values, long... dims) {
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(FLOAT.number())
                .addAllDims(LongStream.of(dims).boxed().toList())
                .setRawData(ByteString.copyFrom(floats(values)))
                .build();
    }

    public static Values values(String name, float[] values, Long... shape) {
        var spec = new TensorSpec(name, DataType.FP32, List.of(shape), Collections.nCopies(shape.length, ""));
        return new Values(spec, floats(values));
    }

    /**
     * Linear regression {@code y = x·w + b} with the mean square as its loss; {@code w} learns with momentum 0.9 from
     * 0.5, -0.5, {@code b} without from 0. The graph has no step of its own.
     */
    public static TestUnit regression() throws IOException {
        return new TestUnit()
                .main(regressionStep())
                .state("w", "new:w")
                .state("b", "new:b")
                .state("opt.m:w", "new:opt.m:w")
                .setting("learning_rate", 0.1)
                .initial(
                        List.of(values("w", new float[] {0.5f, -0.5f}, 2L, 1L)),
                        new TensorSpec("step", DataType.INT64, List.of(), List.of()))
                .write();
    }

    private static ModelProto regressionStep() {
        return new Onnx()
                .input("x", FLOAT, "batch", 2)
                .input("t", FLOAT, "batch", 1)
                .input("learning_rate", FLOAT)
                .input("w", FLOAT, 2, 1)
                .input("b", FLOAT, 1)
                .input("opt.m:w", FLOAT, 2, 1)
                .output("loss", FLOAT)
                .output("y", FLOAT, "batch", 1)
                .output("new:w", FLOAT, 2, 1)
                .output("new:b", FLOAT, 1)
                .output("new:opt.m:w", FLOAT, 2, 1)
                .initializer(tensor("two", new float[] {2}))
                .initializer(tensor("momentum", new float[] {0.9f}))
                .constant("column", 2, 1)
                .node("MatMul", List.of("x", "w"), "xw")
                .node("Add", List.of("xw", "b"), "y")
                .node("Sub", List.of("y", "t"), "e")
                .node("Mul", List.of("e", "e"), "ee")
                .node("ReduceMean", List.of("ee"), "loss", Onnx.integer("keepdims", 0))
                .node("Mul", List.of("e", "two"), "e2")
                .node("Mul", List.of("x", "e2"), "xe")
                .node("ReduceMean", List.of("xe"), "gw_", Onnx.ints("axes", 0), Onnx.integer("keepdims", 0))
                .node("Reshape", List.of("gw_", "column"), "gw")
                .node("ReduceMean", List.of("e2"), "gb", Onnx.ints("axes", 0), Onnx.integer("keepdims", 0))
                .node("Mul", List.of("opt.m:w", "momentum"), "m9")
                .node("Add", List.of("m9", "gw"), "new:opt.m:w")
                .node("Mul", List.of("learning_rate", "new:opt.m:w"), "dw")
                .node("Sub", List.of("w", "dw"), "new:w")
                .node("Mul", List.of("learning_rate", "gb"), "db")
                .node("Sub", List.of("b", "db"), "new:b")
                .build();
    }

    /**
     * {@code y = tanh(x·W)}, {@code s} its sum, with loss {@code mean((y - t)²)}, its gradients for {@code x} and
     * {@code W}, and all entries of a gradient unit.
     */
    public static TestUnit tanh() throws IOException {
        return new TestUnit()
                .main(gradient(true, 1))
                .entry("value", gradient(false, 1))
                .entry(
                        "apply",
                        forward(new Onnx().input("x", FLOAT, "batch", 3)).build())
                .entry("vjp", vjp())
                .entry("jvp", jvp())
                .entry("perturbed", perturbed())
                .write();
    }

    /** The same with gradients that are wrong by a factor. */
    public static TestUnit wrong(float factor) throws IOException {
        return new TestUnit()
                .main(gradient(true, factor))
                .entry("perturbed", perturbed())
                .write();
    }

    private static Onnx forward(Onnx onnx) {
        return onnx.output("y", FLOAT, "batch", 2)
                .output("s", FLOAT)
                .initializer(tensor("W", W, 3, 2))
                .node("MatMul", List.of("x", "W"), "xW")
                .node("Tanh", List.of("xW"), "y")
                .node("ReduceSum", List.of("y"), "s", Onnx.integer("keepdims", 0));
    }

    private static Onnx slope(Onnx onnx) {
        return onnx.initializer(tensor("one", new float[] {1}))
                .node("Mul", List.of("y", "y"), "yy")
                .node("Sub", List.of("one", "yy"), "slope");
    }

    private static ModelProto gradient(boolean gradients, float factor) {
        var onnx = new Onnx()
                .input("x", FLOAT, "batch", 3)
                .input("t", FLOAT, "batch", 2)
                .output("loss", FLOAT);
        if (gradients) {
            onnx.output("x_grad", FLOAT, "batch", 3).output("W_grad", FLOAT, 3, 2);
        }
        forward(onnx)
                .node("Sub", List.of("y", "t"), "e")
                .node("Mul", List.of("e", "e"), "ee")
                .node("ReduceMean", List.of("ee"), "loss", Onnx.integer("keepdims", 0));
        if (gradients) {
            slope(onnx)
                    .initializer(tensor("two", new float[] {2 * factor}))
                    .node("Size", List.of("e"), "n")
                    .node("Cast", List.of("n"), "nf", Onnx.integer("to", FLOAT.number()))
                    .node("Mul", List.of("e", "two"), "e2")
                    .node("Div", List.of("e2", "nf"), "dy")
                    .node("Mul", List.of("dy", "slope"), "dz")
                    .node("Transpose", List.of("W"), "Wt")
                    .node("MatMul", List.of("dz", "Wt"), "x_grad")
                    .node("Transpose", List.of("x"), "xt")
                    .node("MatMul", List.of("xt", "dz"), "W_grad");
        }
        return onnx.build();
    }

    private static ModelProto vjp() {
        var onnx = new Onnx()
                .input("x", FLOAT, "batch", 3)
                .input("ct:y", FLOAT, "batch", 2)
                .input("ct:s", FLOAT)
                .output("x_grad", FLOAT, "batch", 3);
        return slope(onnx.initializer(tensor("W", W, 3, 2))
                        .node("MatMul", List.of("x", "W"), "xW")
                        .node("Tanh", List.of("xW"), "y"))
                .node("Add", List.of("ct:y", "ct:s"), "dy")
                .node("Mul", List.of("dy", "slope"), "dz")
                .node("Transpose", List.of("W"), "Wt")
                .node("MatMul", List.of("dz", "Wt"), "x_grad")
                .build();
    }

    private static ModelProto jvp() {
        var onnx = new Onnx()
                .input("x", FLOAT, "batch", 3)
                .input("tan:x", FLOAT, "batch", 3)
                .output("jvp:y", FLOAT, "batch", 2)
                .output("jvp:s", FLOAT);
        return slope(onnx.initializer(tensor("W", W, 3, 2))
                        .node("MatMul", List.of("x", "W"), "xW")
                        .node("Tanh", List.of("xW"), "y"))
                .node("MatMul", List.of("tan:x", "W"), "dz")
                .node("Mul", List.of("dz", "slope"), "jvp:y")
                .node("ReduceSum", List.of("jvp:y"), "jvp:s", Onnx.integer("keepdims", 0))
                .build();
    }

    private static ModelProto perturbed() {
        return new Onnx()
                .input("x", FLOAT, "batch", 3)
                .input("t", FLOAT, "batch", 2)
                .input("eps", FLOAT)
                .input("dir:x", FLOAT, "batch", 3)
                .input("dir:W", FLOAT, 3, 2)
                .output("loss", FLOAT)
                .initializer(tensor("W", W, 3, 2))
                .node("Mul", List.of("eps", "dir:x"), "dx")
                .node("Add", List.of("x", "dx"), "x1")
                .node("Mul", List.of("eps", "dir:W"), "dW")
                .node("Add", List.of("W", "dW"), "W1")
                .node("MatMul", List.of("x1", "W1"), "xW")
                .node("Tanh", List.of("xW"), "y")
                .node("Sub", List.of("y", "t"), "e")
                .node("Mul", List.of("e", "e"), "ee")
                .node("ReduceMean", List.of("ee"), "loss", Onnx.integer("keepdims", 0))
                .build();
    }
}
