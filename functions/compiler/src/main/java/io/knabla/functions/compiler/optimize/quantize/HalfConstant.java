package io.knabla.functions.compiler.optimize.quantize;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;

/**
 * A float32 constant in half precision.
 *
 * @param clamped number of elements that half floats cannot represent and that were moved to the nearest that they can
 */
record HalfConstant(TensorProto tensor, int clamped) {
    private static final double LARGEST = 65504;

    /** Smallest positive half float. */
    private static final double SMALLEST = 5.9604644775390625e-8;

    /** Below every score, yet a sum of two is still finite: a row that is masked as a whole must not become NaN. */
    private static final double MASK = -6e4;

    /** @throws IllegalArgumentException if an element is not a number */
    static HalfConstant of(String name, NdArray array) {
        double[] values = array.reals().clone();
        int clamped = 0;
        for (int i = 0; i < values.length; i++) {
            double kept = clamp(name, values[i]);
            clamped += kept == values[i] ? 0 : 1;
            values[i] = kept;
        }
        return new HalfConstant(
                NdArray.reals(ElementType.FLOAT16, array.dims(), values).toProto(""), clamped);
    }

    private static double clamp(String name, double value) {
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException(
                    "the constant '%s' holds NaN, which half precision would carry on; repair the model"
                            .formatted(name));
        }
        if (value < -LARGEST) {
            return MASK;
        }
        double size = Math.abs(value);
        return size == 0 ? value : Math.copySign(Math.clamp(size, SMALLEST, LARGEST), value);
    }
}
