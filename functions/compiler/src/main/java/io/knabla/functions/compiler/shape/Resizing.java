package io.knabla.functions.compiler.shape;

import static io.knabla.functions.compiler.shape.OpContext.axis;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shape rules of operators that resample an image. */
final class Resizing {
    private static final double WHOLE = 1e-6;

    private Resizing() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Resize", Resizing::resize);
        rules.put("Upsample", Resizing::resize);
        rules.put("GridSample", Resizing::gridSample);
        rules.put("RoiAlign", op -> regions(op, op.shape(2).dim(0), "output_height", "output_width"));
        rules.put("MaxRoiPool", Resizing::maxRoiPool);
    }

    private static List<Shape> resize(OpContext op) {
        Shape in = op.shape(0);
        Optional<List<Long>> axes = op.node().integers("axes");
        if (op.has(3)) {
            List<Dim> sizes = op.integersOrUnknown(3);
            String policy = op.node().text("keep_aspect_ratio_policy", "stretch");
            return List.of(
                    policy.equals("stretch")
                            ? placed(in, sizes, axes)
                            : placed(in, kept(in, sizes, axes, policy), axes));
        }
        List<Double> scales = scales(op)
                .orElseGet(() -> Collections.nCopies(axes.map(List::size).orElse(in.rank()), Double.NaN));
        var sizes = new ArrayList<Dim>();
        for (int i = 0; i < scales.size(); i++) {
            sizes.add(scaled(in.dim(at(axes, i, in.rank())), scales.get(i)));
        }
        return List.of(placed(in, sizes, axes));
    }

    private static int at(Optional<List<Long>> axes, int index, int rank) {
        return axis(axes.isPresent() ? axes.get().get(index) : index, rank);
    }

    private static Shape placed(Shape in, List<Dim> sizes, Optional<List<Long>> axes) {
        if (axes.isEmpty() && sizes.size() != in.rank()) {
            throw ShapeUnknownException.INSTANCE;
        }
        Shape out = in;
        for (int i = 0; i < sizes.size(); i++) {
            out = out.with(at(axes, i, in.rank()), sizes.get(i));
        }
        return out;
    }

    /** In single precision, as the engine multiplies. */
    private static Dim scaled(Dim dim, double scale) {
        if (dim.known()) {
            return Double.isNaN(scale) ? Dim.UNKNOWN : Dim.of((long) Math.floor((float) dim.or(0) * (float) scale));
        }
        if (scale >= 1 && scale == Math.rint(scale)) {
            return dim.times(Dim.of((long) scale));
        }
        double inverse = Math.rint(1 / scale);
        return inverse > 1 && Math.abs(inverse * scale - 1) < WHOLE
                ? dim.dividedBy(Dim.of((long) inverse))
                : Dim.UNKNOWN;
    }

    /** One scale for all axes, with which the result fits within the sizes or covers them. */
    private static List<Dim> kept(Shape in, List<Dim> sizes, Optional<List<Long>> axes, String policy) {
        boolean within = policy.equals("not_larger");
        double scale = within ? Double.MAX_VALUE : 0;
        for (int i = 0; i < sizes.size(); i++) {
            Dim dim = in.dim(at(axes, i, in.rank()));
            if (!dim.known() || !sizes.get(i).known()) {
                return Collections.nCopies(sizes.size(), Dim.UNKNOWN);
            }
            double one = (float) sizes.get(i).or(1) / (float) dim.or(1);
            scale = within ? Math.min(scale, one) : Math.max(scale, one);
        }
        var kept = new ArrayList<Dim>();
        for (int i = 0; i < sizes.size(); i++) {
            long size = in.dim(at(axes, i, in.rank())).or(0);
            kept.add(Dim.of(Math.round((float) scale * (float) size)));
        }
        return kept;
    }

    /** Scales are floats: an attribute in old opsets, later input 1, now input 2. */
    private static Optional<List<Double>> scales(OpContext op) {
        var attribute = op.node().attributes().get("scales");
        if (attribute != null) {
            return Optional.of(
                    attribute.getFloatsList().stream().map(Float::doubleValue).toList());
        }
        if (op.node().has("height_scale")) {
            return Optional.of(List.of(
                    1.0, 1.0, op.node().real("height_scale", 1), op.node().real("width_scale", 1)));
        }
        return op.reals(op.node().inputs().size() > 2 ? 2 : 1);
    }

    private static List<Shape> gridSample(OpContext op) {
        Shape in = op.shape(0);
        Shape grid = op.shape(1);
        return List.of(in.slice(0, 2).append(grid.slice(1, grid.rank() - 1)));
    }

    private static List<Shape> regions(OpContext op, Dim count, String height, String width) {
        return List.of(new Shape(List.of(
                count,
                op.shape(0).dim(1),
                Dim.of(op.node().integer(height, 1)),
                Dim.of(op.node().integer(width, 1)))));
    }

    private static List<Shape> maxRoiPool(OpContext op) {
        Shape pooled = op.node().integers("pooled_shape").map(Shape::of).orElseThrow();
        return List.of(new Shape(List.of(op.shape(1).dim(0), op.shape(0).dim(1))).append(pooled));
    }
}
