package io.knabla.functions.compiler.shape;

import static io.knabla.functions.compiler.shape.OpContext.axis;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Shape rules of reductions, normalisations, softmax and losses. */
final class Reduction {
    private Reduction() {}

    static final String[] REDUCE = {
        "ReduceSum",
        "ReduceMean",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "ReduceL1",
        "ReduceL2",
        "ReduceLogSum",
        "ReduceLogSumExp",
        "ReduceSumSquare"
    };

    static final String[] SAME_SHAPE = {
        "Softmax",
        "LogSoftmax",
        "Hardmax",
        "InstanceNormalization",
        "GroupNormalization",
        "LRN",
        "LpNormalization",
        "MeanVarianceNormalization",
        "RMSNormalization",
        "com.microsoft.GroupNorm"
    };

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(rules, Reduction::reduce, REDUCE);
        Elementwise.each(rules, Reduction::arg, "ArgMax", "ArgMin");
        Elementwise.each(rules, Elementwise::same, SAME_SHAPE);
        rules.put("BatchNormalization", Reduction::batchNorm);
        Elementwise.each(rules, Reduction::layerNorm, "LayerNormalization", "SimplifiedLayerNormalization");
        Elementwise.each(
                rules,
                Reduction::skipLayerNorm,
                "com.microsoft.SkipLayerNormalization",
                "com.microsoft.SkipSimplifiedLayerNormalization");
        rules.put("com.microsoft.EmbedLayerNormalization", Reduction::embed);
        Elementwise.each(rules, Reduction::loss, "SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss");
    }

    private static List<Shape> reduce(OpContext op) {
        Shape in = op.shape(0);
        boolean keep = op.node().integer("keepdims", 1) == 1;
        if (op.has(1) && op.input(1).integers().isEmpty()) {
            return List.of(unknownAxes(op, in, keep));
        }
        List<Long> axes = op.numbers("axes", 1).orElse(List.of());
        if (axes.isEmpty() && op.node().integer("noop_with_empty_axes", 0) == 1) {
            return List.of(in);
        }
        var gone = new HashSet<Integer>();
        axes.forEach(a -> gone.add(axis(a, in.rank())));
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            if (!gone.isEmpty() && !gone.contains(i)) {
                dims.add(in.dim(i));
            } else if (keep) {
                dims.add(Dim.ONE);
            }
        }
        return List.of(new Shape(dims));
    }

    private static Shape unknownAxes(OpContext op, Shape in, boolean keep) {
        int left = keep ? in.rank() : in.rank() - op.integersOrUnknown(1).size();
        return new Shape(Collections.nCopies(left, Dim.UNKNOWN));
    }

    private static List<Shape> arg(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.axis("axis", 0, in.rank());
        return List.of(
                op.node().integer("keepdims", 1) == 1
                        ? in.with(axis, Dim.ONE)
                        : in.slice(0, axis).append(in.slice(axis + 1, in.rank())));
    }

    /** In training mode, statistics with one number per channel follow. */
    private static List<Shape> batchNorm(OpContext op) {
        Shape in = op.shape(0);
        Shape channels = new Shape(List.of(in.rank() > 1 ? in.dim(1) : Dim.ONE));
        return List.of(in, channels, channels, channels, channels);
    }

    private static List<Shape> layerNorm(OpContext op) {
        Shape in = op.shape(0);
        Shape statistics = in;
        for (int i = op.axis("axis", -1, in.rank()); i < in.rank(); i++) {
            statistics = statistics.with(i, Dim.ONE);
        }
        return List.of(in, statistics, statistics);
    }

    private static List<Shape> skipLayerNorm(OpContext op) {
        Shape in = op.shape(0);
        Shape statistics = in.with(-1, Dim.ONE);
        return List.of(in, statistics, statistics, in);
    }

    private static List<Shape> embed(OpContext op) {
        Shape ids = op.shape(0);
        return List.of(ids.append(op.shape(2).slice(1, 2)), ids.slice(0, 1));
    }

    private static List<Shape> loss(OpContext op) {
        boolean each = op.node().text("reduction", "mean").equals("none");
        return List.of(each ? op.shape(1) : Shape.SCALAR, op.shape(0));
    }
}
