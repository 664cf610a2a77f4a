package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shape rules of operators that create a tensor from sizes or attributes only. */
final class Creation {
    private Creation() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Shape", op -> List.of(Shape.of(DataPropagation.shapeSlice(op).size())));
        rules.put("Size", op -> List.of(Shape.SCALAR));
        rules.put("Constant", Creation::constant);
        rules.put("ConstantOfShape", op -> List.of(new Shape(op.integersOrUnknown(0))));
        rules.put("Range", Creation::range);
        rules.put("RandomNormal", Creation::stated);
        rules.put("RandomUniform", Creation::stated);
        rules.put("Multinomial", Creation::multinomial);
        rules.put("AffineGrid", Creation::affineGrid);
        Elementwise.each(
                rules,
                op -> List.of(new Shape(List.of(op.scalar(0)))),
                "HannWindow",
                "HammingWindow",
                "BlackmanWindow");
        rules.put("MelWeightMatrix", Creation::mel);
    }

    private static List<Shape> constant(OpContext op) {
        for (AttributeProto attribute : op.node().attributes().values()) {
            switch (attribute.getName()) {
                case "value" -> {
                    return List.of(TensorProtos.type(attribute.getT()).shape().orElseThrow());
                }
                case "value_float", "value_int", "value_string" -> {
                    return List.of(Shape.SCALAR);
                }
                case "value_floats" -> {
                    return List.of(Shape.of(attribute.getFloatsCount()));
                }
                case "value_ints" -> {
                    return List.of(Shape.of(attribute.getIntsCount()));
                }
                case "value_strings" -> {
                    return List.of(Shape.of(attribute.getStringsCount()));
                }
                default -> {
                    // Sparse values stay unknown.
                }
            }
        }
        throw ShapeUnknownException.INSTANCE;
    }

    private static List<Shape> range(OpContext op) {
        Dim start = op.scalar(0);
        Dim limit = op.scalar(1);
        Dim step = op.scalar(2);
        if (step.known() && step.or(0) < 0) {
            return counted(start.minus(limit).ceilDividedBy(new Dim.Known(-step.or(-1))));
        }
        if (step.known() && start.fixed() && limit.fixed()) {
            return counted(limit.minus(start).ceilDividedBy(step));
        }
        return counted(RuleGuard.getOrElse(() -> realRange(op), Dim.UNKNOWN));
    }

    private static Dim realRange(OpContext op) {
        double start = op.reals(0).orElseThrow().getFirst();
        double limit = op.reals(1).orElseThrow().getFirst();
        double step = op.reals(2).orElseThrow().getFirst();
        double count = Math.ceil((limit - start) / step);
        return count < Dim.MAX ? new Dim.Known((long) count) : Dim.UNKNOWN;
    }

    private static List<Shape> counted(Dim count) {
        return List.of(new Shape(List.of(count.or(0) < 0 ? Dim.ZERO : count)));
    }

    private static List<Shape> stated(OpContext op) {
        return List.of(op.node().integers("shape").map(Shape::of).orElseThrow(() -> ShapeUnknownException.INSTANCE));
    }

    private static List<Shape> multinomial(OpContext op) {
        return List.of(op.shape(0).with(1, Dim.of(op.node().integer("sample_size", 1))));
    }

    /** A grid of points for an image of {@code [N, C, H, W]} or a volume of {@code [N, C, D, H, W]}. */
    private static List<Shape> affineGrid(OpContext op) {
        List<Dim> size = op.integersOrUnknown(1);
        Shape points = new Shape(size.subList(2, size.size()));
        return List.of(new Shape(List.of(size.getFirst())).append(points).append(Shape.of(points.rank())));
    }

    private static List<Shape> mel(OpContext op) {
        Optional<List<Dim>> bins = op.input(0).integers();
        Dim spectrum = op.scalar(1).dividedBy(new Dim.Known(2)).plus(Dim.ONE);
        return List.of(new Shape(List.of(spectrum, bins.map(List::getFirst).orElse(Dim.UNKNOWN))));
    }
}
