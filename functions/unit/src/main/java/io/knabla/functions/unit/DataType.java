package io.knabla.functions.unit;

import java.util.Optional;

/**
 * Element types that the Open Inference Protocol and ONNX Runtime share.
 *
 * <p>{@code bytes} is the size of one element, 0 if it varies; {@code onnx} is the number of
 * {@code TensorProto.DataType}.
 */
public enum DataType {
    BOOL(1, 9),
    UINT8(1, 2),
    UINT16(2, 4),
    UINT32(4, 12),
    UINT64(8, 13),
    INT8(1, 3),
    INT16(2, 5),
    INT32(4, 6),
    INT64(8, 7),
    FP16(2, 10),
    BF16(2, 16),
    FP32(4, 1),
    FP64(8, 11),
    BYTES(0, 8);

    private final int bytes;
    private final int onnx;

    DataType(int bytes, int onnx) {
        this.bytes = bytes;
        this.onnx = onnx;
    }

    public int bytes() {
        return bytes;
    }

    public int onnx() {
        return onnx;
    }

    public static Optional<DataType> ofOnnx(int number) {
        for (DataType type : values()) {
            if (type.onnx == number) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
