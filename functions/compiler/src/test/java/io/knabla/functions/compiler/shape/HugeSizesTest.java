package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.analyze.Analyzer;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests that sizes whose products exceed a long end in unknown shapes or faults, never in an exception. */
class HugeSizesTest {
    private static final List<Long> SIZES =
            List.of(0L, 1L, 2L, 3L, 1L << 16, (1L << 31) - 1, 1L << 31, 1L << 32, 1L << 60, Long.MAX_VALUE);

    private static final Gradient GRADIENT = new Gradient(
            Gradient.Loss.scalar("y"),
            List.of("inputs"),
            Gradient.Unreachable.Zero,
            Optional.empty(),
            new Memory(MemoryStrategy.None, Optional.empty()));

    /** A chain of operators over one input; {@code s} is a shape, {@code w} a kernel. */
    private static ModelProto model(List<Long> dims, long a, long b, List<String> ops) {
        var model = new Onnx()
                .input("x", ElementType.FLOAT, dims.toArray())
                .weights("w", 2, 2, 1, 1)
                .constant("s", a, b)
                .constant("k", 1, 1, a, b)
                .constant("one", 1);
        String last = "x";
        for (int i = 0; i < ops.size(); i++) {
            String next = "v" + i;
            node(model, ops.get(i), last, next, a, b);
            last = next;
        }
        return model.node("ReduceMean", List.of(last), "y", Onnx.integer("keepdims", 0))
                .output("y", ElementType.FLOAT)
                .build();
    }

    private static void node(Onnx model, String op, String from, String to, long a, long b) {
        switch (op) {
            case "Expand", "Reshape", "Tile" -> model.node(op, List.of(from, "s"), to);
            case "Conv", "ConvTranspose" ->
                model.node(op, List.of(from, "w"), to, Onnx.ints("pads", a, 0, b, 0), Onnx.ints("dilations", b, 1));
            case "AveragePool", "LpPool", "MaxPool" ->
                model.node(op, List.of(from), to, Onnx.ints("kernel_shape", a, b));
            case "Resize" -> model.node(op, List.of(from, "", "", "k"), to, Onnx.text("mode", "linear"));
            case "MatMul", "Mul", "Add", "Sub", "Div" -> model.node(op, List.of(from, from), to);
            case "Concat" -> model.node(op, List.of(from, from, from), to, Onnx.integer("axis", 0));
            case "Pad" -> model.node(op, List.of(from, "k"), to);
            case "ReduceSum", "Unsqueeze" -> model.node(op, List.of(from, "one"), to);
            case "Scale" ->
                model.constant(to + "c", 2)
                        .node("Cast", List.of(to + "c"), to + "f", Onnx.integer("to", 1))
                        .node("Mul", List.of(from, to + "f"), to);
            default -> model.node(op, List.of(from), to);
        }
    }

    @Provide
    Arbitrary<List<Long>> dims() {
        return Arbitraries.of(SIZES).list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<Long> size() {
        return Arbitraries.of(SIZES);
    }

    @Provide
    Arbitrary<List<String>> ops() {
        return Arbitraries.of(
                        "Expand",
                        "Reshape",
                        "Tile",
                        "Conv",
                        "ConvTranspose",
                        "AveragePool",
                        "LpPool",
                        "MaxPool",
                        "MatMul",
                        "Mul",
                        "Add",
                        "Sub",
                        "Div",
                        "Concat",
                        "Pad",
                        "ReduceSum",
                        "Unsqueeze",
                        "Relu",
                        "Softmax",
                        "Flatten",
                        "Transpose",
                        "GlobalAveragePool",
                        "LogSoftmax",
                        "Exp",
                        "ReduceMax",
                        "Scale",
                        "ReduceMean",
                        "LpNormalization",
                        "Gelu")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    @Property(tries = 500)
    void endInUnknownShapesOrFaults(
            @ForAll("dims") List<Long> dims,
            @ForAll("size") long a,
            @ForAll("size") long b,
            @ForAll("ops") List<String> ops) {
        Model model = Model.of(model(dims, a, b, ops));

        try {
            check(model);
        } catch (OutOfMemoryError huge) {
            // jqwik would not shrink an Error.
            throw new IllegalStateException(huge);
        }
    }

    private static void check(Model model) {
        ShapeInference.types(model);
        Analyzer.analyze(model);
        Importer.read(model);
        Differentiator.differentiate(model, new GradientRequest(Kind.GRADIENT, GRADIENT));
        Differentiator.differentiate(model, new GradientRequest(Kind.HVP, GRADIENT));
    }
}
