package io.knabla.functions.compiler.shape;

import static io.knabla.functions.compiler.shape.OpContext.axis;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shape rules of operators that select or place elements. */
final class Indexing {
    private Indexing() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Gather", Indexing::gather);
        rules.put("GatherElements", op -> List.of(op.shape(1)));
        rules.put("GatherND", Indexing::gatherNd);
        Elementwise.each(rules, Elementwise::same, "Scatter", "ScatterElements", "ScatterND", "TensorScatter");
        rules.put("Slice", Indexing::slice);
        rules.put("Pad", Indexing::pad);
        rules.put("CenterCropPad", Indexing::centerCropPad);
        rules.put("OneHot", Indexing::oneHot);
        rules.put("TopK", Indexing::topK);
        rules.put("NonZero", op -> List.of(new Shape(List.of(Dim.of(op.rank(0)), Dim.UNKNOWN))));
        rules.put("Compress", Indexing::compress);
        rules.put("Unique", Indexing::unique);
        rules.put("NonMaxSuppression", op -> List.of(new Shape(List.of(Dim.UNKNOWN, Dim.of(3)))));
    }

    private static List<Shape> gather(OpContext op) {
        Shape data = op.shape(0);
        int axis = op.axis("axis", 0, data.rank());
        return List.of(data.slice(0, axis).append(op.shape(1)).append(data.slice(axis + 1, data.rank())));
    }

    private static List<Shape> gatherNd(OpContext op) {
        Shape data = op.shape(0);
        Shape indices = op.shape(1);
        int batch = (int) op.node().integer("batch_dims", 0);
        int depth = (int) indices.dim(-1).or(-1);
        if (depth < 0) {
            throw ShapeUnknownException.INSTANCE;
        }
        return List.of(indices.slice(0, indices.rank() - 1).append(data.slice(batch + depth, data.rank())));
    }

    private static List<Shape> slice(OpContext op) {
        Shape in = op.shape(0);
        List<Dim> starts = dims(op, "starts", 1);
        List<Dim> ends = dims(op, "ends", 2);
        if (op.has(3) && op.input(3).integers().isEmpty()) {
            return List.of(new Shape(Collections.nCopies(in.rank(), Dim.UNKNOWN)));
        }
        Optional<List<Long>> axes = op.numbers("axes", 3);
        List<Dim> steps = op.has(4) ? op.integersOrUnknown(4) : null;
        Shape out = in;
        for (int i = 0; i < starts.size(); i++) {
            int axis = axis(axes.isPresent() ? axes.get().get(i) : i, in.rank());
            Dim step = steps == null ? Dim.ONE : steps.get(i);
            out = out.with(
                    axis,
                    step.known() ? Slicing.length(in.dim(axis), starts.get(i), ends.get(i), step.or(1)) : Dim.UNKNOWN);
        }
        return List.of(out);
    }

    private static List<Dim> dims(OpContext op, String attribute, int input) {
        return op.node()
                .integers(attribute)
                .map(list -> list.stream().<Dim>map(Dim.Known::new).toList())
                .orElseGet(() -> op.integersOrUnknown(input));
    }

    private static List<Shape> pad(OpContext op) {
        Shape in = op.shape(0);
        String attribute = op.node().has("paddings") ? "paddings" : "pads";
        Optional<List<Long>> axes = op.has(3) ? Optional.of(op.numbers(3)) : Optional.empty();
        int half = axes.map(List::size).orElse(in.rank());
        List<Dim> pads = op.node().has(attribute) || op.input(1).integers().isPresent()
                ? dims(op, attribute, 1)
                : Collections.nCopies(2 * half, Dim.UNKNOWN);
        Shape out = in;
        for (int i = 0; i < half; i++) {
            int axis = axis(axes.isPresent() ? axes.get().get(i) : i, in.rank());
            Dim size = in.dim(axis).plus(pads.get(i)).plus(pads.get(i + half));
            out = out.with(axis, size.or(0) < 0 ? Dim.UNKNOWN : size);
        }
        return List.of(out);
    }

    private static List<Shape> centerCropPad(OpContext op) {
        Shape out = op.shape(0);
        List<Dim> sizes = op.integersOrUnknown(1);
        Optional<List<Long>> axes = op.node().integers("axes");
        for (int i = 0; i < sizes.size(); i++) {
            out = out.with(axis(axes.isPresent() ? axes.get().get(i) : i, out.rank()), sizes.get(i));
        }
        return List.of(out);
    }

    private static List<Shape> oneHot(OpContext op) {
        Shape in = op.shape(0);
        int axis = axis(op.node().integer("axis", -1), in.rank() + 1);
        Optional<Dim> real = op.reals(1).map(r -> Dim.of(r.getFirst().longValue()));
        Dim depth = op.scalar(1).fixed() ? op.scalar(1) : real.orElse(Dim.UNKNOWN);
        return List.of(in.slice(0, axis).append(new Shape(List.of(depth))).append(in.slice(axis, in.rank())));
    }

    private static List<Shape> topK(OpContext op) {
        Shape in = op.shape(0);
        Dim k = op.node().has("k") ? Dim.of(op.node().integer("k", 1)) : op.scalar(1);
        Shape out = in.with(op.axis("axis", -1, in.rank()), k);
        return List.of(out, out);
    }

    /** The number of selected elements depends on the data. */
    private static List<Shape> compress(OpContext op) {
        Shape some = new Shape(List.of(Dim.UNKNOWN));
        return op.node().has("axis")
                ? List.of(op.shape(0).with(op.axis("axis", 0, op.rank(0)), Dim.UNKNOWN))
                : List.of(some);
    }

    private static List<Shape> unique(OpContext op) {
        Shape some = new Shape(List.of(Dim.UNKNOWN));
        Shape inverse = new Shape(List.of(
                op.node().has("axis")
                        ? op.shape(0).dim(op.axis("axis", 0, op.rank(0)))
                        : op.shape(0).elements()));
        return List.of(compress(op).getFirst(), some, inverse, some);
    }
}
