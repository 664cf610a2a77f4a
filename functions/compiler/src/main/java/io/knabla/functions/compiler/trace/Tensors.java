package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Factories of tensors; of type FLOAT unless stated otherwise. */
public final class Tensors {
    private Tensors() {}

    public static Tensor scalar(double value) {
        return Tensor.of(NdArray.scalar(ElementType.FLOAT, value));
    }

    public static Tensor vector(double... values) {
        return of(values, values.length);
    }

    /** A tensor of these values in row-major order. */
    public static Tensor of(double[] values, int... dims) {
        return Tensor.of(NdArray.floats(dims, values));
    }

    /** An INT64 vector, for labels and indices. */
    public static Tensor longs(long... values) {
        return Tensor.of(NdArray.longs(values));
    }

    public static Tensor full(double value, int... dims) {
        return Tensor.of(NdArray.filled(ElementType.FLOAT, dims, value));
    }

    public static Tensor zeros(int... dims) {
        return full(0, dims);
    }

    public static Tensor ones(int... dims) {
        return full(1, dims);
    }

    /** Normally distributed values with mean 0 and this standard deviation. */
    public static Tensor normal(RandomGenerator random, double deviation, int... dims) {
        int size = Arrays.stream(dims).reduce(1, Math::multiplyExact);
        double[] values = new double[size];
        Arrays.setAll(values, i -> random.nextGaussian() * deviation);
        return of(values, dims);
    }

    /** 0, 1, … as INT64. */
    public static Tensor range(int size) {
        long[] values = new long[size];
        Arrays.setAll(values, i -> i);
        return longs(values);
    }
}
