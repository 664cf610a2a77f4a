package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;

/** Rounds and wraps numbers to those that an element type can represent. */
final class Precision {
    private Precision() {}

    /** Nearest float of the type. */
    static double round(ElementType element, double value) {
        return switch (element) {
            case DOUBLE -> value;
            case FLOAT -> (float) value;
            case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
            case BFLOAT16 -> fromBrain(toBrain((float) value));
            default -> throw new EvaluationException("no arithmetic on " + element);
        };
    }

    /** Keeps the low bits, as integer conversions in C do. */
    static long wrap(ElementType element, long value) {
        return switch (element) {
            case INT64, UINT64 -> value;
            case INT32 -> (int) value;
            case UINT32 -> value & 0xffff_ffffL;
            case INT16 -> (short) value;
            case UINT16 -> value & 0xffff;
            case INT8 -> (byte) value;
            case UINT8 -> value & 0xff;
            case BOOL -> value == 0 ? 0 : 1;
            default -> throw new EvaluationException("no arithmetic on " + element);
        };
    }

    /** BFLOAT16 is the upper half of a float; ties go to even. */
    static short toBrain(float value) {
        if (Float.isNaN(value)) {
            return 0x7fc0;
        }
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    static float fromBrain(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
