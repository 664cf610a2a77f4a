package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Dim.Known;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * Propagates the contents of small integer tensors through the graph. Exporters compute shapes with ordinary operators
 * ({@code Shape → Gather → Concat → Reshape}); without this, such a model would have no shapes at all. Floats are
 * tracked while they are whole numbers.
 */
final class DataPropagation {
    /** More than any shape, pads or axes have. */
    static final int MAX = 128;

    /** Whole numbers are exact in every float up to here. */
    private static final double EXACT = 1 << 24;

    private DataPropagation() {}

    /** Contents of the node's first output, if they can be inferred. */
    static Optional<List<Dim>> contents(OpContext op) {
        return RuleGuard.getOrElse(() -> values(op).map(SymbolicTensor::values), Optional.empty());
    }

    private static Optional<SymbolicTensor> values(OpContext op) {
        return switch (op.node().qualifiedOp()) {
            case "Constant" -> constant(op);
            case "Shape" -> some(vector(shapeSlice(op)));
            case "Size" ->
                some(new SymbolicTensor(new int[0], List.of(op.shape(0).elements())));
            case "Identity", "Floor", "Ceil", "Round" -> some(in(op, 0));
            case "Cast", "CastLike" -> some(cast(op));
            case "Squeeze", "Unsqueeze", "Reshape", "Flatten" -> some(reshaped(op));
            case "Gather" -> some(in(op, 0).gathered(axis(op, 0), in(op, 1)));
            case "Concat" -> some(concat(op));
            case "Slice" -> some(slice(op));
            case "Transpose" -> some(transpose(op));
            case "Where" -> some(where(op));
            case "ConstantOfShape", "Expand", "Tile" -> filled(op);
            case "Range" -> some(range(op));
            case "ReduceProd" -> reduced(op, Dim.ONE, Dim::times);
            case "ReduceSum" -> reduced(op, Dim.ZERO, Dim::plus);
            case "ReduceMax" -> reduced(op, null, DimComparison::larger);
            case "ReduceMin" -> reduced(op, null, DimComparison::smaller);
            default -> elementwise(op);
        };
    }

    private static Optional<SymbolicTensor> elementwise(OpContext op) {
        return switch (op.node().qualifiedOp()) {
            case "Add", "Sum" -> some(together(op, Dim::plus));
            case "Sub" -> some(pairwise(op, Dim::minus));
            case "Mul" -> some(together(op, Dim::times));
            case "Div" -> some(pairwise(op, (a, b) -> over(a, b, op.element(0))));
            case "Mod" -> some(pairwise(op, DataPropagation::modulo));
            case "Min" -> some(together(op, DimComparison::smaller));
            case "Max" -> some(together(op, DimComparison::larger));
            case "Neg" -> some(in(op, 0).each(Dim.ZERO::minus));
            case "Abs" -> some(in(op, 0).each(a -> DimComparison.larger(a, Dim.ZERO.minus(a))));
            case "Equal" -> some(pairwise(op, DimComparison::equal));
            case "Less" -> some(pairwise(op, (a, b) -> DimComparison.greater(b, a)));
            case "Greater" -> some(pairwise(op, DimComparison::greater));
            case "LessOrEqual" -> some(pairwise(op, (a, b) -> not(DimComparison.greater(a, b))));
            case "GreaterOrEqual" -> some(pairwise(op, (a, b) -> not(DimComparison.greater(b, a))));
            case "Not" -> some(in(op, 0).each(DataPropagation::not));
            case "And" -> some(pairwise(op, DataPropagation::and));
            case "Or" -> some(pairwise(op, (a, b) -> not(and(not(a), not(b)))));
            default -> Optional.empty();
        };
    }

    private static Optional<SymbolicTensor> some(SymbolicTensor contents) {
        return Optional.of(contents);
    }

    private static SymbolicTensor vector(List<Dim> values) {
        return new SymbolicTensor(new int[] {values.size()}, values);
    }

    private static SymbolicTensor in(OpContext op, int input) {
        return SymbolicTensor.of(op.integers(input), op.input(input).type().shape());
    }

    private static int axis(OpContext op, long otherwise) {
        return op.axis("axis", otherwise, in(op, 0).rank());
    }

    static List<Dim> shapeSlice(OpContext op) {
        List<Dim> dims = op.shape(0).dims();
        long start = op.node().integer("start", 0);
        long end = op.node().integer("end", dims.size());
        int from = Math.clamp(Axis.fromFront(start, dims.size()), 0, dims.size());
        int to = Math.clamp(Axis.fromFront(end, dims.size()), 0, dims.size());
        return dims.subList(from, Math.max(from, to));
    }

    /** The integers in a constant, if it is small and holds only whole numbers. */
    static Optional<List<Dim>> contents(TensorProto tensor) {
        ElementType type = TensorProtos.element(tensor);
        Optional<Long> count = TensorProtos.elements(tensor);
        if (count.isEmpty() || count.get() > MAX || TensorProtos.isExternal(tensor)) {
            return Optional.empty();
        }
        return switch (type) {
            case INT64, INT32, BOOL -> integers(tensor, type.bits() / 8, count.get());
            case FLOAT, DOUBLE, FLOAT16 -> ConstantReals.of(tensor).flatMap(DataPropagation::whole);
            default -> Optional.empty();
        };
    }

    private static Optional<List<Dim>> integers(TensorProto tensor, int width, long count) {
        var values = new ArrayList<Dim>();
        tensor.getInt64DataList().forEach(v -> values.add(new Known(v)));
        tensor.getInt32DataList().forEach(v -> values.add(new Known(v)));
        var raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        while (raw.remaining() >= width) {
            values.add(new Known(width == 8 ? raw.getLong() : width == 4 ? raw.getInt() : raw.get()));
        }
        return values.size() == count ? Optional.of(List.copyOf(values)) : Optional.empty();
    }

    private static Optional<List<Dim>> whole(List<Double> values) {
        boolean whole = values.stream().allMatch(v -> v == Math.rint(v) && Math.abs(v) <= EXACT);
        return whole
                ? Optional.of(
                        values.stream().<Dim>map(v -> new Known(v.longValue())).toList())
                : Optional.empty();
    }

    private static Optional<SymbolicTensor> constant(OpContext op) {
        if (op.node().has("value_int")) {
            Dim value = new Known(op.node().integer("value_int", 0));
            return some(new SymbolicTensor(new int[0], List.of(value)));
        }
        if (op.node().has("value_ints")) {
            List<Long> values = op.node().integers("value_ints").orElse(List.of());
            return some(vector(values.stream().<Dim>map(Known::new).toList()));
        }
        return op.node()
                .tensor("value")
                .flatMap(t -> contents(t)
                        .map(v -> SymbolicTensor.of(v, TensorProtos.type(t).shape())));
    }

    private static SymbolicTensor cast(OpContext op) {
        boolean bool = ElementTypeRules.of(op, 0) == ElementType.BOOL;
        return bool ? in(op, 0).each(a -> not(DimComparison.equal(a, Dim.ZERO))) : in(op, 0);
    }

    /** The same values in the same order, whatever their new shape. */
    private static SymbolicTensor reshaped(OpContext op) {
        return vector(in(op, 0).values());
    }

    private static SymbolicTensor concat(OpContext op) {
        SymbolicTensor all = in(op, 0);
        int axis = axis(op, 0);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            all = all.followedBy(in(op, i), axis);
        }
        return all;
    }

    private static SymbolicTensor slice(OpContext op) {
        SymbolicTensor data = in(op, 0);
        List<Long> starts = op.numbers("starts", 1).orElseThrow();
        List<Long> ends = op.numbers("ends", 2).orElseThrow();
        Optional<List<Long>> axes = op.numbers("axes", 3);
        Optional<List<Long>> steps = op.numbers("steps", 4);
        for (int i = 0; i < starts.size(); i++) {
            int axis = OpContext.axis(axes.isPresent() ? axes.get().get(i) : i, data.rank());
            int step = Math.toIntExact(steps.isPresent() ? steps.get().get(i) : 1);
            int size = data.shape()[axis];
            int count = (int) Slicing.count(size, starts.get(i), ends.get(i), step);
            data = data.sliced(axis, Slicing.first(size, starts.get(i), step), count, step);
        }
        return data;
    }

    private static SymbolicTensor transpose(OpContext op) {
        SymbolicTensor data = in(op, 0);
        var order = new ArrayList<Long>();
        for (long d = data.rank() - 1; d >= 0; d--) {
            order.add(d);
        }
        return data.transposed(op.node().integers("perm").orElse(order));
    }

    private static SymbolicTensor pairwise(OpContext op, BinaryOperator<Dim> operator) {
        return in(op, 0).broadcastWith(in(op, 1), operator);
    }

    /** Applies the operator to any number of inputs. */
    private static SymbolicTensor together(OpContext op, BinaryOperator<Dim> operator) {
        SymbolicTensor all = in(op, 0);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            all = all.broadcastWith(in(op, i), operator);
        }
        return all;
    }

    /** Integer division truncates towards zero; floats are divided only without remainder. */
    private static Dim over(Dim a, Dim b, ElementType type) {
        if (a instanceof Known(var above) && b instanceof Known(var below) && below != 0) {
            return !type.isFloat() || above % below == 0 ? new Known(above / below) : Dim.UNKNOWN;
        }
        if (Dim.ZERO.exceeds(a)) {
            return Dim.ZERO.minus(over(Dim.ZERO.minus(a), b, type));
        }
        Dim quotient = a.dividedBy(b);
        return !type.isFloat() || quotient.times(b).equals(a) ? quotient : Dim.UNKNOWN;
    }

    private static Dim modulo(Dim a, Dim b) {
        return a.minus(a.dividedBy(b).times(b));
    }

    private static Dim not(Dim a) {
        return a.known() ? a.is(0) ? Dim.ONE : Dim.ZERO : Dim.UNKNOWN;
    }

    private static Dim and(Dim a, Dim b) {
        if (a.is(0) || b.is(0)) {
            return Dim.ZERO;
        }
        return a.known() && b.known() ? Dim.ONE : Dim.UNKNOWN;
    }

    private static SymbolicTensor where(OpContext op) {
        SymbolicTensor which = in(op, 0);
        SymbolicTensor yes = in(op, 1);
        SymbolicTensor no = in(op, 2);
        int[] to = SymbolicTensor.common(which.shape(), SymbolicTensor.common(yes.shape(), no.shape()));
        List<Dim> condition = which.broadcastTo(to).values();
        yes = yes.broadcastTo(to);
        no = no.broadcastTo(to);
        var out = new ArrayList<Dim>();
        for (int i = 0; i < condition.size(); i++) {
            Dim a = yes.values().get(i);
            Dim b = no.values().get(i);
            Dim chosen = condition.get(i).is(0) ? b : a;
            out.add(condition.get(i).known() || a.equals(b) ? chosen : Dim.UNKNOWN);
        }
        return new SymbolicTensor(to, out);
    }

    private static Optional<SymbolicTensor> filled(OpContext op) {
        if (op.node().op().equals("ConstantOfShape")) {
            Optional<TensorProto> value = op.node().tensor("value");
            // The default value is a float 0.
            return value.isEmpty()
                    ? Optional.empty()
                    : contents(value.get()).map(v -> SymbolicTensor.filled(op.numbers(0), v.getFirst()));
        }
        SymbolicTensor data = in(op, 0);
        List<Long> shape = op.numbers(1);
        if (op.node().op().equals("Tile")) {
            boolean one = data.values().size() == 1;
            return one ? some(SymbolicTensor.filled(shape, data.values().getFirst())) : Optional.empty();
        }
        int[] to = shape.stream().mapToInt(Math::toIntExact).toArray();
        return some(data.broadcastTo(SymbolicTensor.common(data.shape(), to)));
    }

    /** Reduces along all axes; the values of partial reductions are not tracked. */
    private static Optional<SymbolicTensor> reduced(OpContext op, Dim first, BinaryOperator<Dim> operator) {
        SymbolicTensor data = in(op, 0);
        Optional<List<Long>> axes = op.numbers("axes", 1);
        boolean all = axes.isEmpty() || axes.get().isEmpty() || axes.get().size() == data.rank();
        boolean none = op.node().integer("noop_with_empty_axes", 0) == 1;
        if (!all || none && axes.orElse(List.of()).isEmpty()) {
            return Optional.empty();
        }
        Dim start = first == null ? data.values().getFirst() : first;
        Dim folded = data.folded(start, operator);
        boolean keep = op.node().integer("keepdims", 1) == 1;
        int[] shape = new int[keep ? data.rank() : 0];
        java.util.Arrays.fill(shape, 1);
        return some(new SymbolicTensor(shape, List.of(folded)));
    }

    private static SymbolicTensor range(OpContext op) {
        long start = op.numbers(0).getFirst();
        long end = op.numbers(1).getFirst();
        long step = op.numbers(2).getFirst();
        var out = new ArrayList<Dim>();
        for (long v = start; step > 0 ? v < end : v > end; v += step) {
            if (out.size() == MAX || step == 0) {
                throw ShapeUnknownException.INSTANCE;
            }
            out.add(new Known(v));
        }
        return vector(Collections.unmodifiableList(out));
    }
}
