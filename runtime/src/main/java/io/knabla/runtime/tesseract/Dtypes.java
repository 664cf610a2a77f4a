package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.DataType;
import java.util.Optional;

/** Maps element types to and from numpy's dtype names, which Tesseract uses. */
final class Dtypes {
    private Dtypes() {}

    /** The dtype name; empty for BF16 and BYTES, which have none. */
    static Optional<String> name(DataType type) {
        return switch (type) {
            case BOOL -> Optional.of("bool");
            case UINT8 -> Optional.of("uint8");
            case UINT16 -> Optional.of("uint16");
            case UINT32 -> Optional.of("uint32");
            case UINT64 -> Optional.of("uint64");
            case INT8 -> Optional.of("int8");
            case INT16 -> Optional.of("int16");
            case INT32 -> Optional.of("int32");
            case INT64 -> Optional.of("int64");
            case FP16 -> Optional.of("float16");
            case FP32 -> Optional.of("float32");
            case FP64 -> Optional.of("float64");
            case BF16, BYTES -> Optional.empty();
        };
    }

    static Optional<DataType> of(String name) {
        for (DataType type : DataType.values()) {
            if (name(type).filter(name::equals).isPresent()) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** Whether a client's dtype may be cast to the model's: never float to integer, nor a number to a boolean. */
    static boolean canCast(DataType from, DataType to) {
        return rank(from) <= rank(to);
    }

    private static int rank(DataType type) {
        return switch (type) {
            case BOOL -> 0;
            case UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64 -> 1;
            case FP16, BF16, FP32, FP64 -> 2;
            case BYTES -> 3;
        };
    }
}
