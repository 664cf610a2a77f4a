package io.knabla.functions.graph.shape;

import static io.knabla.functions.graph.shape.OpContext.axis;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Reductions, normalisations and softmax. */
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
        "BatchNormalization",
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
        Elementwise.each(
                rules, Reduction::layerNorm, "LayerNormalization", "SimplifiedLayerNormalization");
        Elementwise.each(
                rules,
                Reduction::skipLayerNorm,
                "com.microsoft.SkipLayerNormalization",
                "com.microsoft.SkipSimplifiedLayerNormalization");
        rules.put("com.microsoft.EmbedLayerNormalization", Reduction::embed);
    }

    private static List<TensorType> reduce(OpContext op) {
        Shape in = op.shape(0);
        List<Long> axes = op.numbers("axes", 1).orElse(List.of());
        if (axes.isEmpty() && op.node().integer("noop_with_empty_axes", 0) == 1) {
            return Layout.typed(op, in);
        }
        var gone = new HashSet<Integer>();
        axes.forEach(a -> gone.add(axis(a, in.rank())));
        boolean keep = op.node().integer("keepdims", 1) == 1;
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            if (!gone.isEmpty() && !gone.contains(i)) {
                dims.add(in.dim(i));
            } else if (keep) {
                dims.add(Dim.ONE);
            }
        }
        return Layout.typed(op, new Shape(dims));
    }

    private static List<TensorType> arg(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.axis("axis", 0, in.rank());
        Shape out =
                op.node().integer("keepdims", 1) == 1
                        ? in.with(axis, Dim.ONE)
                        : in.slice(0, axis).append(in.slice(axis + 1, in.rank()));
        return List.of(TensorType.of(ElementType.INT64, out));
    }

    private static List<TensorType> layerNorm(OpContext op) {
        Shape in = op.shape(0);
        Shape statistics = in;
        for (int i = op.axis("axis", -1, in.rank()); i < in.rank(); i++) {
            statistics = statistics.with(i, Dim.ONE);
        }
        TensorType statistic = TensorType.of(ElementType.FLOAT, statistics);
        return List.of(op.input(0).type(), statistic, statistic);
    }

    private static List<TensorType> skipLayerNorm(OpContext op) {
        TensorType statistic = TensorType.of(ElementType.FLOAT, op.shape(0).with(-1, Dim.ONE));
        return List.of(op.input(0).type(), statistic, statistic, op.input(0).type());
    }

    private static List<TensorType> embed(OpContext op) {
        Shape ids = op.shape(0);
        Shape words = op.shape(2);
        return List.of(
                TensorType.of(op.element(2), ids.append(words.slice(1, 2))),
                TensorType.of(ElementType.INT32, ids.slice(0, 1)));
    }
}
