package io.knabla.functions.compiler.interpreter;

/** View of a tensor as {@code [outer, size, inner]} around one axis. */
record AxisView(int outer, int size, int inner) {
    static AxisView of(NdArray x, int axis) {
        int[] dims = x.dims();
        return new AxisView(Dims.product(dims, 0, axis), dims[axis], Dims.product(dims, axis + 1, dims.length));
    }

    int lines() {
        return outer * inner;
    }

    /** The position of the k-th element of a line along the axis. */
    int at(int line, int k) {
        return (line / inner * size + k) * inner + line % inner;
    }

    double[] line(NdArray x, int line) {
        double[] values = new double[size];
        for (int k = 0; k < size; k++) {
            values[k] = x.real(at(line, k));
        }
        return values;
    }
}
