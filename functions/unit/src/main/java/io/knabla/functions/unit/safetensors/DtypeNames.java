package io.knabla.functions.unit.safetensors;

import io.knabla.functions.unit.DataType;

/** Maps element types to the dtype names of safetensors. */
final class DtypeNames {
    private DtypeNames() {}

    static String name(DataType type) {
        return switch (type) {
            case BOOL -> "BOOL";
            case UINT8 -> "U8";
            case UINT16 -> "U16";
            case UINT32 -> "U32";
            case UINT64 -> "U64";
            case INT8 -> "I8";
            case INT16 -> "I16";
            case INT32 -> "I32";
            case INT64 -> "I64";
            case FP16 -> "F16";
            case BF16 -> "BF16";
            case FP32 -> "F32";
            case FP64 -> "F64";
            case BYTES -> throw new IllegalArgumentException("texts have no form in safetensors");
        };
    }

    static DataType of(String name) {
        for (DataType type : DataType.values()) {
            if (type.bytes() > 0 && name(type).equals(name)) {
                return type;
            }
        }
        throw new NotSafeTensorsException("the element type '%s' is unknown".formatted(name));
    }
}
