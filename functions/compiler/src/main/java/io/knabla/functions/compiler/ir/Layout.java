package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Builder methods that reshape, move, select, repeat and reduce elements. Axes are counted from the front unless stated
 * otherwise.
 */
public interface Layout extends Arithmetic {

    default Value ints(List<Long> values) {
        return builder().constant(Constants.integers(values));
    }

    default Value ints(long... values) {
        return ints(LongStream.of(values).boxed().toList());
    }

    /** An int64 scalar. */
    default Value integer(long value) {
        return scalar(ElementType.INT64, value);
    }

    /** Its shape as an int64 vector; a constant if every size is known. */
    default Value shapeOf(Value a) {
        return a.sizes().map(this::ints).orElseGet(() -> op("Shape", a));
    }

    /** Its size along an axis as an int64 vector of one element. */
    default Value sizeOf(Value a, long axis) {
        if (a.shape().isPresent() && a.dim((int) axis) instanceof Dim.Known(var size)) {
            return ints(size);
        }
        Attributes range = Attributes.of("start", axis);
        return op("Shape", axis == -1 ? range : range.with("end", axis + 1), a);
    }

    default Value reshape(Value a, Value shape) {
        if (shape.knownIntegers().isPresent() && shape.knownIntegers().equals(a.sizes())) {
            return a;
        }
        return op("Reshape", Attributes.of("allowzero", 1), a, shape);
    }

    default Value reshape(Value a, long... shape) {
        boolean inferred = LongStream.of(shape).anyMatch(d -> d <= 0);
        return inferred ? op("Reshape", a, ints(shape)) : reshape(a, ints(shape));
    }

    /** Reshapes to the shape of {@code like}. */
    default Value reshapeLike(Value a, Value like) {
        boolean same = a.shape().isPresent()
                && a.shape().equals(like.shape())
                && a.knownShape().dims().stream().noneMatch(Dim.Unknown.class::isInstance);
        return same || a == like ? a : reshape(a, shapeOf(like));
    }

    default Value transpose(Value a, List<Long> permutation) {
        boolean identity = true;
        for (int i = 0; i < permutation.size(); i++) {
            identity &= permutation.get(i) == i;
        }
        return identity ? a : op("Transpose", Attributes.of("perm", permutation), a);
    }

    default Value transpose(Value a, long... permutation) {
        return transpose(a, LongStream.of(permutation).boxed().toList());
    }

    /** The last two axes swapped. */
    default Value transposed(Value a) {
        var permutation = new ArrayList<>(LongStream.range(0, a.rank()).boxed().toList());
        Collections.swap(permutation, a.rank() - 1, a.rank() - 2);
        return transpose(a, permutation);
    }

    default Value unsqueeze(Value a, List<Long> axes) {
        return axes.isEmpty() ? a : op("Unsqueeze", a, ints(axes));
    }

    default Value unsqueeze(Value a, long... axes) {
        return unsqueeze(a, LongStream.of(axes).boxed().toList());
    }

    default Value squeeze(Value a, List<Long> axes) {
        return axes.isEmpty() ? a : op("Squeeze", a, ints(axes));
    }

    default Value squeeze(Value a, long... axes) {
        return squeeze(a, LongStream.of(axes).boxed().toList());
    }

    default Value concat(long axis, List<Value> parts) {
        return parts.size() == 1
                ? parts.getFirst()
                : op("Concat", Attributes.of("axis", axis), parts.toArray(Value[]::new));
    }

    default Value concat(long axis, Value... parts) {
        return concat(axis, List.of(parts));
    }

    default Value gather(Value a, Value indices, long axis) {
        return op("Gather", Attributes.of("axis", axis), a, indices);
    }

    default Value slice(Value a, Value starts, Value ends, Value axes) {
        return op("Slice", a, starts, ends, axes);
    }

    /** Elements {@code from} to {@code to} along an axis. */
    default Value slice(Value a, long axis, long from, long to) {
        return slice(a, ints(from), ints(to), ints(axis));
    }

    /** Splits into parts of these sizes along an axis. */
    default List<Value> split(Value a, long axis, List<Long> sizes) {
        var spec = Op.Spec.of("Split", Attributes.of("axis", axis), List.of(a, ints(sizes)));
        return builder().op(spec, sizes.size()).outputs();
    }

    default Value expand(Value a, Value shape) {
        if (shape.knownIntegers().isPresent() && shape.knownIntegers().equals(a.sizes())) {
            return a;
        }
        return op("Expand", a, shape);
    }

    /** Broadcasts to the shape of {@code like}. */
    default Value expandLike(Value a, Value like) {
        boolean same = a.shape().isPresent()
                && like.shape().isPresent()
                && a.rank() == like.rank()
                && Broadcast.of(like.knownShape(), a.knownShape())
                        .filter(Broadcast::none)
                        .isPresent();
        return same ? a : expand(a, shapeOf(like));
    }

    default Value fill(Value shape, ElementType element, double value) {
        return expand(scalar(element, value), shape);
    }

    /** A tensor of this value in the shape and type of {@code like}. */
    default Value full(Value like, double value) {
        return like.shape().filter(s -> s.rank() == 0).isPresent()
                ? scalar(like, value)
                : expand(scalar(like, value), shapeOf(like));
    }

    default Value zeros(Value like) {
        return full(like, 0);
    }

    default Value range(Value start, Value limit, Value step) {
        return op("Range", start, limit, step);
    }

    /** 0, 1, … up to a size given as an int64 vector of one element. */
    default Value indices(Value size) {
        return range(integer(0), squeeze(size, 0), integer(1));
    }

    default Value reduce(String type, Value a, List<Long> axes, boolean keep) {
        return axes.isEmpty() ? a : op(type, Attributes.of("keepdims", keep ? 1 : 0), a, ints(axes));
    }

    default Value reduceSum(Value a, List<Long> axes, boolean keep) {
        return reduce("ReduceSum", a, axes, keep);
    }

    default Value reduceSum(Value a, long axis, boolean keep) {
        return reduceSum(a, List.of(axis), keep);
    }

    default Value reduceMean(Value a, List<Long> axes, boolean keep) {
        return reduce("ReduceMean", a, axes, keep);
    }

    default Value reduceMax(Value a, List<Long> axes, boolean keep) {
        return reduce("ReduceMax", a, axes, keep);
    }

    /** The sum of all elements, a scalar. */
    default Value sumAll(Value a) {
        return a.shape().filter(s -> s.rank() == 0).isPresent() ? a : op("ReduceSum", Attributes.of("keepdims", 0), a);
    }

    default Value meanAll(Value a) {
        return a.shape().filter(s -> s.rank() == 0).isPresent() ? a : op("ReduceMean", Attributes.of("keepdims", 0), a);
    }

    /** The number of elements as a scalar of the element type of {@code like}. */
    default Value count(Value a, Value like) {
        Optional<Long> known =
                a.sizes().map(sizes -> Shape.of(sizes).elements().or(Dim.MAX)).filter(n -> n < Dim.MAX);
        return known.map(n -> scalar(like, n)).orElseGet(() -> castLike(op("Size", a), like));
    }

    /** {@code data} with {@code updates} added at {@code indices}; updates of equal indices accumulate. */
    default Value scatterNdAdd(Value data, Value indices, Value updates) {
        return op("ScatterND", Attributes.of("reduction", "add"), data, indices, updates);
    }

    default Value scatterAdd(Value data, Value indices, Value updates, long axis) {
        Attributes attributes = Attributes.of("axis", axis).with("reduction", "add");
        return op("ScatterElements", attributes, data, indices, updates);
    }

    /** Pads with zeros; {@code pads} lists all starts, then all ends. */
    default Value pad(Value a, Value pads) {
        return op("Pad", a, pads);
    }

    /** Axes counted from the front, sorted. */
    default List<Long> axes(List<Long> axes, int rank) {
        return axes.stream().map(axis -> Axis.fromFront(axis, rank)).sorted().toList();
    }

    /** Reverses broadcasting: sums {@code gradient} over the axes along which {@code target} was expanded. */
    default Value unbroadcast(Value gradient, Value target) {
        Optional<Shape> from = gradient.shape();
        Optional<Shape> to = target.shape();
        if (from.isPresent() && to.isPresent()) {
            Optional<Broadcast> known = Broadcast.of(from.get(), to.get());
            if (known.isPresent()) {
                return unbroadcast(gradient, known.get());
            }
        }
        return unbroadcastAtRun(gradient, target);
    }

    private Value unbroadcast(Value gradient, Broadcast axes) {
        List<Long> leading = LongStream.range(0, axes.leadingInputs()).boxed().toList();
        Value summed = reduceSum(gradient, axes.stretched(), true);
        return reduceSum(summed, leading, false);
    }

    /** For sizes known only at run time: sums over the axes where the target has size 1. */
    private Value unbroadcastAtRun(Value gradient, Value target) {
        Value shape = shapeOf(target);
        Value ones = op("Expand", integer(1), op("Sub", op("Shape", op("Shape", gradient)), op("Shape", shape)));
        Value padded = concat(0, ones, shape);
        Value axes = squeeze(op("NonZero", equal(padded, integer(1))), 0);
        Attributes keep = Attributes.of("keepdims", 1).with("noop_with_empty_axes", 1);
        return reshape(op("ReduceSum", keep, gradient, axes), shape);
    }
}
