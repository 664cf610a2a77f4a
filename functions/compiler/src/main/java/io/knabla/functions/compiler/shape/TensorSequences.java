package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shape rules of operators on sequences of tensors. A sequence carries the type that holds for each of its elements.
 */
final class TensorSequences {
    private TensorSequences() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("SequenceConstruct", TensorSequences::constructed);
        rules.put("SequenceInsert", op -> List.of(common(op.shape(0), op.shape(1))));
        Elementwise.each(rules, Elementwise::same, "SequenceAt", "SequenceErase");
        rules.put("SequenceLength", op -> List.of(Shape.SCALAR));
        rules.put("OptionalHasElement", op -> List.of(Shape.SCALAR));
        rules.put("SplitToSequence", TensorSequences::split);
        rules.put("ConcatFromSequence", TensorSequences::joined);
    }

    private static List<Shape> constructed(OpContext op) {
        Shape shape = op.shape(0);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            shape = common(shape, op.shape(i));
        }
        return List.of(shape);
    }

    private static Shape common(Shape a, Shape b) {
        if (a.rank() != b.rank()) {
            throw ShapeUnknownException.INSTANCE;
        }
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < a.rank(); i++) {
            dims.add(a.dim(i).equals(b.dim(i)) ? a.dim(i) : Dim.UNKNOWN);
        }
        return new Shape(dims);
    }

    private static List<Shape> split(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.axis("axis", 0, in.rank());
        if (op.has(1)) {
            boolean equal =
                    op.rank(1) == 0 && in.dim(axis).or(-1) % op.scalar(1).or(2) == 0;
            return List.of(in.with(axis, equal ? op.scalar(1) : Dim.UNKNOWN));
        }
        return List.of(
                op.node().integer("keepdims", 1) == 1
                        ? in.with(axis, Dim.ONE)
                        : in.slice(0, axis).append(in.slice(axis + 1, in.rank())));
    }

    private static List<Shape> joined(OpContext op) {
        Shape one = op.shape(0);
        if (op.node().integer("new_axis", 0) == 1) {
            int axis = op.axis("axis", 0, one.rank() + 1);
            return List.of(
                    one.slice(0, axis).append(new Shape(List.of(Dim.UNKNOWN))).append(one.slice(axis, one.rank())));
        }
        return List.of(one.with(op.axis("axis", 0, one.rank()), Dim.UNKNOWN));
    }
}
