package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Small integer tensor with symbolic elements.
 *
 * @param values in row-major order, at most {@link DataPropagation#MAX}
 */
record SymbolicTensor(int[] shape, List<Dim> values) {
    SymbolicTensor {
        if (values.size() > DataPropagation.MAX || values.size() != count(shape)) {
            throw ShapeUnknownException.INSTANCE;
        }
    }

    /** If only the number of values is known, they form a vector. */
    static SymbolicTensor of(List<Dim> values, Optional<Shape> shape) {
        int[] sizes = {values.size()};
        if (shape.isPresent() && shape.get().dims().stream().allMatch(Dim::known)) {
            sizes = shape.get().dims().stream().mapToInt(d -> (int) d.or(0)).toArray();
        }
        return new SymbolicTensor(sizes, values);
    }

    static SymbolicTensor filled(List<Long> shape, Dim value) {
        int[] sizes = shape.stream().mapToInt(Math::toIntExact).toArray();
        int count = count(sizes);
        var values = new ArrayList<Dim>(count);
        for (int i = 0; i < count; i++) {
            values.add(value);
        }
        return new SymbolicTensor(sizes, values);
    }

    /** Number of values of a shape; ends the rule if there are too many to track. */
    private static int count(int[] shape) {
        long count = 1;
        for (int size : shape) {
            count = size < 0 ? -1 : Math.min(count * size, DataPropagation.MAX + 1L);
        }
        if (count < 0 || count > DataPropagation.MAX) {
            throw ShapeUnknownException.INSTANCE;
        }
        return (int) count;
    }

    int rank() {
        return shape.length;
    }

    SymbolicTensor each(Function<Dim, Dim> function) {
        return new SymbolicTensor(shape, values.stream().map(function).toList());
    }

    /** Creates a tensor of another shape; {@code from} maps each position to one of this tensor. */
    private SymbolicTensor picked(int[] sizes, Function<int[], int[]> from) {
        int count = count(sizes);
        var picked = new ArrayList<Dim>(count);
        int[] at = new int[sizes.length];
        for (int i = 0; i < count; i++) {
            picked.add(at(from.apply(at)));
            for (int d = sizes.length - 1; d >= 0 && ++at[d] == sizes[d]; d--) {
                at[d] = 0;
            }
        }
        return new SymbolicTensor(sizes, picked);
    }

    private Dim at(int[] position) {
        int index = 0;
        for (int d = 0; d < shape.length; d++) {
            if (position[d] < 0 || position[d] >= shape[d]) {
                throw ShapeUnknownException.INSTANCE;
            }
            index = index * shape[d] + position[d];
        }
        return values.get(index);
    }

    /** Broadcasts to another shape as in NumPy. */
    SymbolicTensor broadcastTo(int[] to) {
        int more = to.length - rank();
        return picked(to, at -> {
            int[] from = new int[rank()];
            for (int d = 0; d < from.length; d++) {
                from[d] = shape[d] == 1 ? 0 : at[d + more];
            }
            return from;
        });
    }

    static int[] common(int[] a, int[] b) {
        int[] out = new int[Math.max(a.length, b.length)];
        for (int i = 1; i <= out.length; i++) {
            int left = i > a.length ? 1 : a[a.length - i];
            int right = i > b.length ? 1 : b[b.length - i];
            out[out.length - i] = left == 1 ? right : left;
        }
        return out;
    }

    SymbolicTensor broadcastWith(SymbolicTensor other, BinaryOperator<Dim> operator) {
        int[] to = common(shape, other.shape);
        List<Dim> left = broadcastTo(to).values;
        List<Dim> right = other.broadcastTo(to).values;
        var out = new ArrayList<Dim>(left.size());
        for (int i = 0; i < left.size(); i++) {
            out.add(operator.apply(left.get(i), right.get(i)));
        }
        return new SymbolicTensor(to, out);
    }

    SymbolicTensor transposed(List<Long> order) {
        int[] sizes = new int[rank()];
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = shape[order.get(d).intValue()];
        }
        return picked(sizes, at -> {
            int[] from = new int[at.length];
            for (int d = 0; d < at.length; d++) {
                from[order.get(d).intValue()] = at[d];
            }
            return from;
        });
    }

    SymbolicTensor sliced(int axis, int start, int count, int step) {
        int[] sizes = shape.clone();
        sizes[axis] = count;
        return picked(sizes, at -> {
            int[] from = at.clone();
            from[axis] = start + at[axis] * step;
            return from;
        });
    }

    SymbolicTensor gathered(int axis, SymbolicTensor indices) {
        int[] sizes = new int[rank() - 1 + indices.rank()];
        System.arraycopy(shape, 0, sizes, 0, axis);
        System.arraycopy(indices.shape, 0, sizes, axis, indices.rank());
        System.arraycopy(shape, axis + 1, sizes, axis + indices.rank(), rank() - axis - 1);
        return picked(sizes, at -> {
            Dim index = indices.at(Arrays.copyOfRange(at, axis, axis + indices.rank()));
            if (!(index instanceof Dim.Known(var number))) {
                throw ShapeUnknownException.INSTANCE;
            }
            int[] from = new int[rank()];
            System.arraycopy(at, 0, from, 0, axis);
            from[axis] = OpContext.axis(number, shape[axis]);
            System.arraycopy(at, axis + indices.rank(), from, axis + 1, rank() - axis - 1);
            return from;
        });
    }

    SymbolicTensor followedBy(SymbolicTensor more, int axis) {
        int first = shape[axis];
        int[] sizes = shape.clone();
        sizes[axis] = Math.addExact(first, more.shape[axis]);
        var values = new ArrayList<Dim>();
        int blocks = 1;
        for (int d = 0; d < axis; d++) {
            blocks *= shape[d];
        }
        for (int i = 0; i < blocks; i++) {
            values.addAll(part(this.values, i, blocks));
            values.addAll(part(more.values, i, blocks));
        }
        return new SymbolicTensor(sizes, values);
    }

    private static List<Dim> part(List<Dim> values, int index, int of) {
        int size = values.size() / of;
        return values.subList(index * size, (index + 1) * size);
    }

    /** Reduces all values to one; reductions along some axes only are not tracked. */
    Dim folded(Dim first, BinaryOperator<Dim> operator) {
        return values.stream().reduce(first, operator);
    }
}
