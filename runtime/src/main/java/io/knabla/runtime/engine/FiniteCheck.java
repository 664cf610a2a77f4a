package io.knabla.runtime.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Checks tensors for infinities and NaNs. */
final class FiniteCheck {
    private FiniteCheck() {}

    /** Whether all elements are finite; true for integers, booleans and texts. */
    static boolean allFinite(Tensor tensor) {
        if (tensor.texts() != null) {
            return true;
        }
        ByteBuffer data = tensor.data().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return switch (tensor.type()) {
            case FP32 -> floats(data);
            case FP64 -> doubles(data);
            case FP16 -> shorts(data, 0x7c00);
            case BF16 -> shorts(data, 0x7f80);
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES -> true;
        };
    }

    private static boolean floats(ByteBuffer data) {
        boolean finite = true;
        for (int at = data.position(); at < data.limit(); at += Float.BYTES) {
            finite &= Float.isFinite(data.getFloat(at));
        }
        return finite;
    }

    private static boolean doubles(ByteBuffer data) {
        boolean finite = true;
        for (int at = data.position(); at < data.limit(); at += Double.BYTES) {
            finite &= Double.isFinite(data.getDouble(at));
        }
        return finite;
    }

    /** IEEE 754: infinities and NaNs have all exponent bits set. */
    private static boolean shorts(ByteBuffer data, int exponent) {
        boolean finite = true;
        for (int at = data.position(); at < data.limit(); at += Short.BYTES) {
            finite &= (data.getShort(at) & exponent) != exponent;
        }
        return finite;
    }
}
