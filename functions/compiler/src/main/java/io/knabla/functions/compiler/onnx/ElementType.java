package io.knabla.functions.compiler.onnx;

/** ONNX element types with their numbers in {@code TensorProto.DataType}. */
public enum ElementType {
    UNDEFINED(0, 0),
    FLOAT(1, 32),
    UINT8(2, 8),
    INT8(3, 8),
    UINT16(4, 16),
    INT16(5, 16),
    INT32(6, 32),
    INT64(7, 64),
    STRING(8, 0),
    BOOL(9, 8),
    FLOAT16(10, 16),
    DOUBLE(11, 64),
    UINT32(12, 32),
    UINT64(13, 64),
    COMPLEX64(14, 64),
    COMPLEX128(15, 128),
    BFLOAT16(16, 16),
    FLOAT8E4M3FN(17, 8),
    FLOAT8E4M3FNUZ(18, 8),
    FLOAT8E5M2(19, 8),
    FLOAT8E5M2FNUZ(20, 8),
    UINT4(21, 4),
    INT4(22, 4),
    FLOAT4E2M1(23, 4),
    FLOAT8E8M0(24, 8),
    UINT2(25, 2),
    INT2(26, 2);

    private static final ElementType[] ALL = values();

    private final int number;
    private final int bits;

    ElementType(int number, int bits) {
        this.number = number;
        this.bits = bits;
    }

    public int number() {
        return number;
    }

    /** Bits of one element; 0 for a type of variable size. */
    public int bits() {
        return bits;
    }

    /** Bytes that the given number of packed elements takes; 0 for strings. */
    public long bytes(long elements) {
        return bits >= 8 ? elements * (bits / 8) : (elements * bits + 7) / 8;
    }

    public boolean isFloat() {
        return switch (this) {
            case FLOAT, FLOAT16, DOUBLE, BFLOAT16 -> true;
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 -> true;
            case UNDEFINED, UINT8, INT8, UINT16, INT16, INT32, INT64, STRING, BOOL -> false;
            case UINT32, UINT64, COMPLEX64, COMPLEX128, UINT4, INT4, UINT2, INT2 -> false;
        };
    }

    /** Returns {@link #UNDEFINED} for a number without an element type. */
    public static ElementType of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNDEFINED;
    }
}
