package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;

/** Saturating sums and products of counts: they stop at {@link Long#MAX_VALUE} instead of overflowing. */
public final class SaturatingMath {
    private SaturatingMath() {}

    static long times(long a, long b) {
        return a == 0 || b == 0 ? 0 : a > Long.MAX_VALUE / b ? Long.MAX_VALUE : Math.max(0, a) * Math.max(0, b);
    }

    static long times(long a, long b, long c) {
        return times(times(a, b), c);
    }

    public static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Number of elements; 0 if the shape is unknown. */
    public static long elements(TensorType type) {
        return type.shape().map(SaturatingMath::elements).orElse(0L);
    }

    static long elements(Shape shape) {
        return product(shape.dims());
    }

    static long product(List<Dim> dims) {
        long product = 1;
        for (Dim dim : dims) {
            product = times(product, Math.max(0, dim.or(1)));
        }
        return product;
    }

    public static long bytes(TensorType type) {
        long elements = elements(type);
        return elements > Long.MAX_VALUE / 32 ? elements : type.element().bytes(elements);
    }
}
