package io.knabla.functions.graph.shape;

import static io.knabla.functions.graph.shape.OpContext.axis;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operators that move elements or look at shapes, without arithmetic. */
final class Layout {
    private Layout() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("Reshape", Layout::reshape);
        rules.put("Flatten", Layout::flatten);
        rules.put("Squeeze", Layout::squeeze);
        rules.put("Unsqueeze", Layout::unsqueeze);
        rules.put("Transpose", Layout::transpose);
        rules.put("Concat", Layout::concat);
        rules.put("Split", Layout::split);
        rules.put(
                "Expand",
                op -> typed(op, Elementwise.broadcast(op.shape(0), new Shape(op.integers(1)))));
        rules.put("Tile", Layout::tile);
        rules.put("Shape", Layout::shapeOf);
        rules.put("Size", op -> List.of(TensorType.of(ElementType.INT64, Shape.SCALAR)));
        rules.put("Constant", Layout::constant);
        rules.put("ConstantOfShape", Layout::constantOfShape);
        rules.put("Range", Layout::range);
        rules.put("DepthToSpace", op -> blocks(op, true));
        rules.put("SpaceToDepth", op -> blocks(op, false));
    }

    static List<TensorType> typed(OpContext op, Shape shape) {
        return List.of(TensorType.of(op.element(0), shape));
    }

    private static List<TensorType> reshape(OpContext op) {
        List<Dim> wanted =
                op.node().has("shape")
                        ? ofLongs(op.node().integers("shape").orElse(List.of()))
                        : op.integers(1);
        Optional<Shape> from = op.input(0).type().shape();
        boolean zeroIsZero = op.node().integer("allowzero", 0) == 1;
        var dims = new ArrayList<Dim>();
        int open = -1;
        for (int i = 0; i < wanted.size(); i++) {
            Dim dim = wanted.get(i);
            if (dim.is(0) && !zeroIsZero) {
                dim = from.isPresent() && i < from.get().rank() ? from.get().dim(i) : Dim.UNKNOWN;
            } else if (dim.equals(MINUS_ONE)) {
                open = i;
                dim = Dim.ONE;
            }
            dims.add(dim);
        }
        if (open >= 0) {
            dims.set(open, from.map(f -> rest(f.dims(), dims)).orElse(Dim.UNKNOWN));
        }
        return typed(op, new Shape(dims));
    }

    /** Integer contents may be negative, which no dimension is. */
    static final Dim MINUS_ONE = new Dim.Known(-1);

    private static List<Dim> ofLongs(List<Long> values) {
        return values.stream().<Dim>map(Dim.Known::new).toList();
    }

    /** What is left for the open dimension, once equal names on both sides are struck out. */
    private static Dim rest(List<Dim> from, List<Dim> to) {
        var above = new ArrayList<>(from);
        var below = new ArrayList<Dim>();
        for (Dim dim : to) {
            if (dim.known() || !above.remove(dim)) {
                below.add(dim);
            }
        }
        return product(above).dividedBy(product(below));
    }

    private static Dim product(List<Dim> dims) {
        Dim product = Dim.ONE;
        for (Dim dim : dims) {
            product = product.times(dim);
        }
        return product;
    }

    private static List<TensorType> flatten(OpContext op) {
        Shape in = op.shape(0);
        long at = op.node().integer("axis", 1);
        int axis = at == in.rank() ? in.rank() : axis(at, Math.max(1, in.rank()));
        return typed(
                op,
                new Shape(
                        List.of(
                                product(in.dims().subList(0, axis)),
                                product(in.dims().subList(axis, in.rank())))));
    }

    private static List<TensorType> squeeze(OpContext op) {
        Shape in = op.shape(0);
        Optional<List<Long>> axes = op.numbers("axes", 1);
        var gone = new HashSet<Integer>();
        axes.ifPresent(list -> list.forEach(axis -> gone.add(axis(axis, in.rank()))));
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            if (axes.isPresent() ? !gone.contains(i) : !in.dim(i).is(1)) {
                dims.add(in.dim(i));
            }
        }
        return typed(op, new Shape(dims));
    }

    private static List<TensorType> unsqueeze(OpContext op) {
        Shape in = op.shape(0);
        List<Long> axes = op.numbers("axes", 1).orElseThrow(() -> ShapeUnknown.INSTANCE);
        int rank = in.rank() + axes.size();
        var fresh = new HashSet<Integer>();
        axes.forEach(axis -> fresh.add(axis(axis, rank)));
        var dims = new ArrayList<Dim>();
        int next = 0;
        for (int i = 0; i < rank; i++) {
            dims.add(fresh.contains(i) ? Dim.ONE : in.dim(next++));
        }
        return typed(op, new Shape(dims));
    }

    private static List<TensorType> transpose(OpContext op) {
        Shape in = op.shape(0);
        var dims = new ArrayList<>(in.dims());
        Optional<List<Long>> order = op.node().integers("perm");
        if (order.isEmpty()) {
            Collections.reverse(dims);
        } else {
            dims.clear();
            order.get().forEach(from -> dims.add(in.dim(axis(from, in.rank()))));
        }
        return typed(op, new Shape(dims));
    }

    private static List<TensorType> concat(OpContext op) {
        Shape first = op.shape(0);
        int axis = op.axis("axis", 0, first.rank());
        Dim sum = first.dim(axis);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            sum = sum.plus(op.shape(i).dim(axis));
        }
        return typed(op, first.with(axis, sum));
    }

    private static List<TensorType> split(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.axis("axis", 0, in.rank());
        int parts = op.node().outputs().size();
        Optional<List<Long>> sizes = op.numbers("split", 1);
        var out = new ArrayList<TensorType>();
        long chunk = Math.ceilDiv(in.dim(axis).or(-1), Math.max(1, parts));
        for (int i = 0; i < parts; i++) {
            Dim size =
                    sizes.isPresent()
                            ? Dim.of(sizes.get().get(i))
                            : !in.dim(axis).known()
                                    ? Dim.UNKNOWN
                                    : Dim.of(Math.min(chunk, in.dim(axis).or(0) - i * chunk));
            out.add(TensorType.of(op.element(0), in.with(axis, size)));
        }
        return out;
    }

    private static List<TensorType> tile(OpContext op) {
        Shape in = op.shape(0);
        List<Dim> times = op.integers(1);
        var dims = new ArrayList<Dim>();
        for (int i = 0; i < in.rank(); i++) {
            dims.add(in.dim(i).times(times.get(i)));
        }
        return typed(op, new Shape(dims));
    }

    private static List<TensorType> shapeOf(OpContext op) {
        return List.of(TensorType.of(ElementType.INT64, Shape.of(Integers.shapeSlice(op).size())));
    }

    private static List<TensorType> constant(OpContext op) {
        Optional<TensorProto> value = op.node().tensor("value");
        if (value.isPresent()) {
            return List.of(Tensors.type(value.get()));
        }
        for (String name : op.node().attributes().keySet()) {
            var attribute = op.node().attributes().get(name);
            switch (name) {
                case "value_float" -> {
                    return List.of(TensorType.of(ElementType.FLOAT, Shape.SCALAR));
                }
                case "value_floats" -> {
                    return List.of(
                            TensorType.of(ElementType.FLOAT, Shape.of(attribute.getFloatsCount())));
                }
                case "value_int" -> {
                    return List.of(TensorType.of(ElementType.INT64, Shape.SCALAR));
                }
                case "value_ints" -> {
                    return List.of(
                            TensorType.of(ElementType.INT64, Shape.of(attribute.getIntsCount())));
                }
                default -> {
                    // Strings and sparse values stay unknown.
                }
            }
        }
        throw ShapeUnknown.INSTANCE;
    }

    private static List<TensorType> constantOfShape(OpContext op) {
        ElementType element =
                op.node().tensor("value").map(Tensors::element).orElse(ElementType.FLOAT);
        return List.of(TensorType.of(element, new Shape(op.integers(0))));
    }

    private static List<TensorType> range(OpContext op) {
        long start = op.numbers(0).getFirst();
        long step = op.numbers(2).getFirst();
        Dim limit = op.integers(1).getFirst();
        if (start == 0 && step == 1) {
            return typed(op, new Shape(List.of(limit)));
        }
        long end = op.numbers(1).getFirst();
        return typed(op, Shape.of(Math.max(0, Math.ceilDiv(end - start, step))));
    }

    private static List<TensorType> blocks(OpContext op, boolean toSpace) {
        Shape in = op.shape(0);
        Dim block = Dim.of(op.node().integer("blocksize", 1));
        Dim square = block.times(block);
        Dim channels = toSpace ? in.dim(1).dividedBy(square) : in.dim(1).times(square);
        return typed(
                op,
                new Shape(
                        List.of(
                                in.dim(0),
                                channels,
                                toSpace ? in.dim(2).times(block) : in.dim(2).dividedBy(block),
                                toSpace ? in.dim(3).times(block) : in.dim(3).dividedBy(block))));
    }
}
