package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Operations that reshape, select and reduce. A negative axis counts from the end. */
public sealed interface ShapeOperations permits Tensor {
    Tensor self();

    private static Tensor longs(long... values) {
        return Tensor.of(NdArray.longs(values));
    }

    private static Tensor longs(int... values) {
        return longs(Arrays.stream(values).asLongStream().toArray());
    }

    /** One size may be -1 and is inferred; a size of 0 keeps that of the axis. */
    default Tensor reshape(long... sizes) {
        return reshape(longs(sizes));
    }

    /** @param sizes an INT64 vector */
    default Tensor reshape(Tensor sizes) {
        return Tensor.operation("Reshape", Attributes.NONE, self(), sizes);
    }

    /** Reshapes to two axes: the product of those before {@code axis}, and of the rest. */
    default Tensor flatten(int axis) {
        return Tensor.operation("Flatten", Attributes.of("axis", axis), self());
    }

    default Tensor unsqueeze(int... axes) {
        return Tensor.operation("Unsqueeze", Attributes.NONE, self(), longs(axes));
    }

    default Tensor squeeze(int... axes) {
        return Tensor.operation("Squeeze", Attributes.NONE, self(), longs(axes));
    }

    /** Axis i of the result is axis {@code order[i]} of this. */
    default Tensor transpose(int... order) {
        List<Long> perm = Arrays.stream(order).asLongStream().boxed().toList();
        return Tensor.operation("Transpose", Attributes.of("perm", perm), self());
    }

    /** Swaps the last two axes. */
    default Tensor transpose() {
        int rank = self().rank();
        int[] order = IntStream.range(0, rank).toArray();
        order[rank - 1] = rank - 2;
        order[rank - 2] = rank - 1;
        return transpose(order);
    }

    default Tensor expand(long... sizes) {
        return Tensor.operation("Expand", Attributes.NONE, self(), longs(sizes));
    }

    /** Elements {@code from} (inclusive) to {@code to} (exclusive) along an axis. */
    default Tensor slice(int axis, long from, long to) {
        return Tensor.operation("Slice", Attributes.NONE, self(), longs(from), longs(to), longs((long) axis));
    }

    /** Selects one element along an axis and removes the axis. */
    default Tensor index(int axis, long at) {
        return gather(axis, Tensor.of(NdArray.scalar(ElementType.INT64, at)));
    }

    /** Elements along an axis by their indices, an INT64 or INT32 tensor of any shape. */
    default Tensor gather(int axis, Tensor indices) {
        return Tensor.operation("Gather", Attributes.of("axis", axis), self(), indices);
    }

    /** Splits an axis into equal parts. */
    default List<Tensor> split(int axis, int parts) {
        int each = self().dim(axis) / parts;
        long[] sizes = new long[parts];
        Arrays.fill(sizes, each);
        return Tensor.operation("Split", Attributes.of("axis", axis), Arrays.asList(self(), longs(sizes)), parts);
    }

    /** The size of an axis as an INT64 scalar tensor: known only at run time if the signature leaves it open. */
    default Tensor sizeOf(int axis) {
        Attributes start = Attributes.of("start", axis);
        Attributes range = axis == -1 ? start : start.with("end", axis + 1L);
        return Tensor.operation("Shape", range, self()).squeeze(0);
    }

    private Tensor reduced(String type, boolean keep, int... axes) {
        Attributes attributes = Attributes.of("keepdims", keep ? 1 : 0);
        return axes.length == 0
                ? Tensor.operation(type, attributes, self())
                : Tensor.operation(type, attributes, self(), longs(axes));
    }

    /** Sums over these axes and removes them; over all axes if none is given. */
    default Tensor sum(int... axes) {
        return reduced("ReduceSum", false, axes);
    }

    /** Sums over these axes and keeps them with size 1. */
    default Tensor sumKept(int... axes) {
        return reduced("ReduceSum", true, axes);
    }

    default Tensor mean(int... axes) {
        return reduced("ReduceMean", false, axes);
    }

    default Tensor meanKept(int... axes) {
        return reduced("ReduceMean", true, axes);
    }

    default Tensor largest(int... axes) {
        return reduced("ReduceMax", false, axes);
    }

    default Tensor smallest(int... axes) {
        return reduced("ReduceMin", false, axes);
    }

    /** Index of the largest element along an axis, as INT64; removes the axis. */
    default Tensor argMax(int axis) {
        return Tensor.operation("ArgMax", Attributes.of("axis", axis).with("keepdims", 0), self());
    }
}
