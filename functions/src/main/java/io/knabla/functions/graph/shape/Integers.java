package io.knabla.functions.graph.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.Tensors;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * Follows the contents of small integer tensors through the graph. Exporters compute shapes with
 * ordinary operators ({@code Shape → Gather → Concat → Reshape}); without this every such model
 * would have no shapes at all.
 */
final class Integers {
    /** More than any shape, pads or axes have. */
    static final int MAX = 64;

    private Integers() {}

    /** The contents of the node's first output, where they can be known. */
    static Optional<List<Dim>> of(OpContext op) {
        return Guarded.get(
                () -> values(op).filter(values -> values.size() <= MAX), Optional.empty());
    }

    private static Optional<List<Dim>> values(OpContext op) {
        return switch (op.node().qualifiedOp()) {
            case "Constant" -> constant(op);
            case "Shape" -> Optional.of(shapeSlice(op));
            case "Size" -> Optional.of(List.of(op.shape(0).elements()));
            case "Identity", "Cast", "Squeeze", "Unsqueeze", "Reshape", "Flatten" ->
                    op.input(0).integers();
            case "Gather" -> Optional.of(gather(op));
            case "Concat" -> Optional.of(concat(op));
            case "Slice" -> Optional.of(slice(op));
            case "Add" -> Optional.of(pairwise(op, Integers::plus));
            case "Sub" -> Optional.of(pairwise(op, Integers::minus));
            case "Mul" -> Optional.of(pairwise(op, Integers::times));
            case "Div" -> Optional.of(pairwise(op, Integers::over));
            case "Min" ->
                    Optional.of(pairwise(op, (a, b) -> numeric(a, b, Math.min(a.or(0), b.or(0)))));
            case "Max" ->
                    Optional.of(pairwise(op, (a, b) -> numeric(a, b, Math.max(a.or(0), b.or(0)))));
            case "Equal" -> Optional.of(pairwise(op, Integers::equal));
            case "Where" -> Optional.of(where(op));
            case "ConstantOfShape", "Expand" -> filled(op);
            case "ReduceProd" -> op.input(0).integers().map(Integers::product);
            case "Range" -> Optional.of(range(op));
            default -> Optional.empty();
        };
    }

    static List<Dim> shapeSlice(OpContext op) {
        List<Dim> dims = op.shape(0).dims();
        long start = op.node().integer("start", 0);
        long end = op.node().integer("end", dims.size());
        int from = Math.clamp(start < 0 ? start + dims.size() : start, 0, dims.size());
        int to = Math.clamp(end < 0 ? end + dims.size() : end, 0, dims.size());
        return dims.subList(from, Math.max(from, to));
    }

    /** The integers in a constant, where it is small and of integers. */
    static Optional<List<Dim>> of(TensorProto tensor) {
        ElementType type = Tensors.element(tensor);
        Optional<Long> count = Tensors.elements(tensor);
        boolean integer =
                type == ElementType.INT64 || type == ElementType.INT32 || type == ElementType.BOOL;
        if (!integer || count.isEmpty() || count.get() > MAX || Tensors.isExternal(tensor)) {
            return Optional.empty();
        }
        var values = new ArrayList<Dim>();
        tensor.getInt64DataList().forEach(v -> values.add(new Dim.Known(v)));
        tensor.getInt32DataList().forEach(v -> values.add(new Dim.Known(v)));
        var raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int width = type.bits() / 8;
        while (raw.remaining() >= width) {
            values.add(
                    new Dim.Known(
                            width == 8 ? raw.getLong() : width == 4 ? raw.getInt() : raw.get()));
        }
        return values.size() == count.get() ? Optional.of(List.copyOf(values)) : Optional.empty();
    }

    private static Optional<List<Dim>> constant(OpContext op) {
        if (op.node().has("value_int")) {
            return Optional.of(List.of(new Dim.Known(op.node().integer("value_int", 0))));
        }
        if (op.node().has("value_ints")) {
            List<Long> values = op.node().integers("value_ints").orElse(List.of());
            return Optional.of(values.stream().<Dim>map(Dim.Known::new).toList());
        }
        return op.node().tensor("value").flatMap(Integers::of);
    }

    private static List<Dim> gather(OpContext op) {
        List<Dim> data = flat(op, 0);
        var picked = new ArrayList<Dim>();
        for (long index : op.numbers(1)) {
            picked.add(data.get(OpContext.axis(index, data.size())));
        }
        return picked;
    }

    private static List<Dim> concat(OpContext op) {
        var all = new ArrayList<Dim>();
        for (int i = 0; i < op.node().inputs().size(); i++) {
            all.addAll(flat(op, i));
            if (all.size() > MAX) {
                throw ShapeUnknown.INSTANCE;
            }
        }
        return all;
    }

    private static List<Dim> slice(OpContext op) {
        List<Dim> data = flat(op, 0);
        long start = op.numbers("starts", 1).orElseThrow().getFirst();
        long end = op.numbers("ends", 2).orElseThrow().getFirst();
        long step = op.numbers("steps", 4).map(List::getFirst).orElse(1L);
        int size = data.size();
        int from = Math.clamp(start < 0 ? start + size : start, 0, size);
        int to = Math.clamp(end < 0 ? end + size : end, 0, size);
        if (step != 1) {
            throw ShapeUnknown.INSTANCE;
        }
        return data.subList(from, Math.max(from, to));
    }

    /** Contents of a scalar or vector; of more axes their order would matter. */
    private static List<Dim> flat(OpContext op, int input) {
        List<Dim> values = op.integers(input);
        if (op.input(input).type().shape().map(Shape::rank).orElse(1) > 1) {
            throw ShapeUnknown.INSTANCE;
        }
        return values;
    }

    private static List<Dim> pairwise(OpContext op, BinaryOperator<Dim> operator) {
        List<Dim> a = flat(op, 0);
        List<Dim> b = flat(op, 1);
        int size = Math.max(a.size(), b.size());
        var out = new ArrayList<Dim>(size);
        for (int i = 0; i < size; i++) {
            out.add(operator.apply(a.get(a.size() == 1 ? 0 : i), b.get(b.size() == 1 ? 0 : i)));
        }
        return out;
    }

    private static Dim numeric(Dim a, Dim b, long value) {
        return a.known() && b.known() ? new Dim.Known(value) : Dim.UNKNOWN;
    }

    private static Dim plus(Dim a, Dim b) {
        return a.is(0) ? b : b.is(0) ? a : numeric(a, b, a.or(0) + b.or(0));
    }

    private static Dim minus(Dim a, Dim b) {
        return b.is(0) ? a : numeric(a, b, a.or(0) - b.or(0));
    }

    private static Dim times(Dim a, Dim b) {
        return a.is(1) ? b : b.is(1) ? a : numeric(a, b, a.or(0) * b.or(0));
    }

    private static Dim over(Dim a, Dim b) {
        return b.is(1) || b.is(0) ? a : numeric(a, b, a.or(0) / b.or(1));
    }

    private static Dim equal(Dim a, Dim b) {
        return numeric(a, b, a.equals(b) ? 1 : 0);
    }

    private static List<Dim> where(OpContext op) {
        List<Long> which = op.numbers(0);
        List<Dim> yes = flat(op, 1);
        List<Dim> no = flat(op, 2);
        int size = Math.max(which.size(), Math.max(yes.size(), no.size()));
        var out = new ArrayList<Dim>(size);
        for (int i = 0; i < size; i++) {
            List<Dim> from = which.get(which.size() == 1 ? 0 : i) != 0 ? yes : no;
            out.add(from.get(from.size() == 1 ? 0 : i));
        }
        return out;
    }

    private static Optional<List<Dim>> filled(OpContext op) {
        boolean expand = op.node().op().equals("Expand");
        List<Long> shape = op.numbers(expand ? 1 : 0);
        Optional<List<Dim>> value =
                expand ? op.input(0).integers() : op.node().tensor("value").flatMap(Integers::of);
        if (value.isEmpty() || value.get().size() != 1 || shape.size() > 1) {
            return Optional.empty();
        }
        long count = shape.isEmpty() ? 1 : shape.getFirst();
        return count < 0 || count > MAX
                ? Optional.empty()
                : Optional.of(Collections.nCopies((int) count, value.get().getFirst()));
    }

    private static List<Dim> product(List<Dim> values) {
        return List.of(values.stream().reduce(Dim.ONE, Integers::times));
    }

    private static List<Dim> range(OpContext op) {
        long start = op.numbers(0).getFirst();
        long end = op.numbers(1).getFirst();
        long step = op.numbers(2).getFirst();
        var out = new ArrayList<Dim>();
        for (long v = start; step > 0 ? v < end : v > end; v += step) {
            if (out.size() == MAX || step == 0) {
                throw ShapeUnknown.INSTANCE;
            }
            out.add(new Dim.Known(v));
        }
        return out;
    }
}
