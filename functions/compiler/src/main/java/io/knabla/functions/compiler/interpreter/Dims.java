package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Arithmetic on dims and on positions in row-major order. */
final class Dims {
    private Dims() {}

    /** @throws EvaluationException if the size exceeds that of an array */
    static int size(int... dims) {
        long size = 1;
        boolean empty = false;
        for (int dim : dims) {
            if (dim < 0) {
                throw new EvaluationException("a dimension of " + dim);
            }
            empty |= dim == 0;
            size = Math.min(size * Math.max(1, dim), Integer.MAX_VALUE);
        }
        if (!empty && size > Integer.MAX_VALUE - 8) {
            throw new EvaluationException(Arrays.toString(dims) + " is too large");
        }
        return empty ? 0 : (int) size;
    }

    static int[] of(long... dims) {
        int[] exact = new int[dims.length];
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 0 || dims[i] > Integer.MAX_VALUE) {
                throw new EvaluationException("a dimension of " + dims[i]);
            }
            exact[i] = (int) dims[i];
        }
        return exact;
    }

    static List<Long> longs(int[] dims) {
        var longs = new ArrayList<Long>(dims.length);
        for (int dim : dims) {
            longs.add((long) dim);
        }
        return longs;
    }

    /** Distance between neighbours along each axis. */
    static int[] strides(int... dims) {
        int[] strides = new int[dims.length];
        int stride = 1;
        for (int i = dims.length - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= dims[i];
        }
        return strides;
    }

    /** An axis counted from the front. */
    static int axis(long axis, int rank) {
        return Axis.within(axis, rank)
                .orElseThrow(() -> new EvaluationException("axis %d of a tensor of rank %d".formatted(axis, rank)));
    }

    /** Product of dims from (inclusive) to (exclusive). */
    static int product(int[] dims, int from, int to) {
        return size(Arrays.copyOfRange(dims, from, to));
    }

    static int[] with(int[] dims, int axis, int size) {
        int[] changed = dims.clone();
        changed[axis] = size;
        return changed;
    }

    static int[] without(int[] dims, int axis) {
        int[] fewer = new int[dims.length - 1];
        System.arraycopy(dims, 0, fewer, 0, axis);
        System.arraycopy(dims, axis + 1, fewer, axis, fewer.length - axis);
        return fewer;
    }

    static int[] concat(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }

    /** Common shape of both under NumPy broadcasting. */
    static int[] broadcast(int[] a, int[] b) {
        int[] both = new int[Math.max(a.length, b.length)];
        for (int i = 1; i <= both.length; i++) {
            int left = i <= a.length ? a[a.length - i] : 1;
            int right = i <= b.length ? b[b.length - i] : 1;
            if (left != right && left != 1 && right != 1) {
                throw new EvaluationException(
                        "%s and %s do not broadcast".formatted(Arrays.toString(a), Arrays.toString(b)));
            }
            both[both.length - i] = left == 1 ? right : left;
        }
        return both;
    }

    /** For each position of a broadcast result, the position in the operand. */
    static int[] spread(int[] operand, int[] to) {
        int[] strides = strides(operand);
        int[] spread = new int[to.length];
        for (int i = 1; i <= operand.length; i++) {
            boolean repeated = operand[operand.length - i] == 1;
            spread[to.length - i] = repeated ? 0 : strides[operand.length - i];
        }
        return walk(to, spread, 0);
    }

    /** Positions visited in row-major order over dims, with the given stride per axis. */
    static int[] walk(int[] dims, int[] strides, int start) {
        int[] positions = new int[size(dims)];
        int[] at = new int[dims.length];
        int position = start;
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position;
            for (int d = dims.length - 1; d >= 0; d--) {
                position += strides[d];
                if (++at[d] < dims[d]) {
                    break;
                }
                position -= strides[d] * dims[d];
                at[d] = 0;
            }
        }
        return positions;
    }
}
