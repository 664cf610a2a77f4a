package io.knabla.runtime.engine;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;

/** Reads and writes single elements in a tensor's memory. */
public final class Elements {
    private Elements() {}

    /** The element as a double; above 2^53 integers are rounded. */
    public static double real(DataType type, ByteBuffer data, int index) {
        int at = data.position() + index * type.bytes();
        return switch (type) {
            case FP64 -> data.getDouble(at);
            case FP32 -> data.getFloat(at);
            case FP16 -> Float.float16ToFloat(data.getShort(at));
            case BF16 -> Float.intBitsToFloat(data.getShort(at) << 16);
            case UINT64 -> unsigned(data.getLong(at));
            case BOOL, UINT8, UINT16, UINT32, INT8, INT16, INT32, INT64 -> integer(type, data, index);
            case BYTES -> throw new IllegalArgumentException("texts are no numbers");
        };
    }

    /** The element of an integer type or a truth value; for UINT64 its 64 bits. */
    public static long integer(DataType type, ByteBuffer data, int index) {
        int at = data.position() + index * type.bytes();
        return switch (type) {
            case BOOL -> data.get(at) == 0 ? 0 : 1;
            case UINT8 -> data.get(at) & 0xff;
            case INT8 -> data.get(at);
            case UINT16 -> data.getShort(at) & 0xffff;
            case INT16 -> data.getShort(at);
            case UINT32 -> data.getInt(at) & 0xffffffffL;
            case INT32 -> data.getInt(at);
            case UINT64, INT64 -> data.getLong(at);
            case FP16, BF16, FP32, FP64, BYTES -> throw new IllegalArgumentException(type + " is no integer");
        };
    }

    /**
     * Writes one number.
     *
     * @param bits the number, if the type is an integer
     * @return whether the type can represent this number; always true for floating-point types, which round
     */
    public static boolean put(DataType type, ByteBuffer data, int index, double value, long bits) {
        int at = data.position() + index * type.bytes();
        switch (type) {
            case FP64 -> data.putDouble(at, value);
            case FP32 -> data.putFloat(at, (float) value);
            case FP16 -> data.putShort(at, Float.floatToFloat16((float) value));
            case BF16 -> data.putShort(at, bfloat16((float) value));
            case BOOL, UINT8, INT8 -> data.put(at, (byte) bits);
            case UINT16, INT16 -> data.putShort(at, (short) bits);
            case UINT32, INT32 -> data.putInt(at, (int) bits);
            case UINT64, INT64 -> data.putLong(at, bits);
            case BYTES -> throw new IllegalArgumentException("texts are no numbers");
        }
        return isFloatingPoint(type) || fits(type, value, bits);
    }

    /** Rounds to the nearest bfloat16, ties to even. */
    private static short bfloat16(float value) {
        int bits = Float.floatToIntBits(value);
        // The canonical NaN has no lower bits, so it stays NaN.
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    /** Whether this is a floating-point type. */
    public static boolean isFloatingPoint(DataType type) {
        return switch (type) {
            case FP16, BF16, FP32, FP64 -> true;
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES -> false;
        };
    }

    private static boolean fits(DataType type, double value, long bits) {
        if (value != Math.rint(value)) {
            return false;
        }
        int width = type.bytes() * 8;
        return switch (type) {
            case BOOL -> value == 0 || value == 1;
            case UINT8, UINT16, UINT32 -> value >= 0 && value < Math.pow(2, width);
            case INT8, INT16, INT32 -> value >= -Math.pow(2, width - 1) && value < Math.pow(2, width - 1);
            // The largest integers round up to a double just outside the range; their bits decide.
            case UINT64 -> value >= 0 && (value < 0x1p64 || value == 0x1p64 && bits < 0);
            case INT64 -> value >= -0x1p63 && (value < 0x1p63 || value == 0x1p63 && bits > 0);
            case FP16, BF16, FP32, FP64, BYTES -> false;
        };
    }

    private static double unsigned(long value) {
        return value >= 0 ? value : (value >>> 1 | value & 1) * 2.0;
    }
}
