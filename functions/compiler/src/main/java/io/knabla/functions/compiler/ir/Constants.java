package io.knabla.functions.compiler.ir;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Creates small constant tensors in raw little-endian encoding. */
public final class Constants {
    private Constants() {}

    /** A scalar, rounded to the element type. */
    public static TensorProto scalar(ElementType element, double value) {
        return tensor(element, List.of(), new double[] {value});
    }

    public static TensorProto integers(List<Long> values) {
        return tensor(
                ElementType.INT64,
                List.of((long) values.size()),
                values.stream().mapToDouble(Long::doubleValue).toArray());
    }

    /** Values in row-major order; integers must be within 2⁵³. */
    public static TensorProto tensor(ElementType element, List<Long> dims, double[] values) {
        ByteBuffer raw = ByteBuffer.allocate(Math.multiplyExact(values.length, element.bits() / 8))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            put(raw, element, value);
        }
        return TensorProto.newBuilder()
                .setDataType(element.number())
                .addAllDims(dims)
                .setRawData(ByteString.copyFrom(raw.flip()))
                .build();
    }

    /** The value of a tensor of one element. */
    public static Optional<Double> number(TensorProto tensor) {
        if (tensor.getDimsList().stream().anyMatch(d -> d != 1)) {
            return Optional.empty();
        }
        ElementType element = ElementType.of(tensor.getDataType());
        ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        if (raw.remaining() == 0 || raw.remaining() != element.bits() / 8) {
            return typed(tensor);
        }
        return switch (element) {
            case FLOAT -> Optional.of((double) raw.getFloat());
            case DOUBLE -> Optional.of(raw.getDouble());
            case FLOAT16 -> Optional.of((double) Float.float16ToFloat(raw.getShort()));
            case INT64 -> Optional.of((double) raw.getLong());
            case INT32 -> Optional.of((double) raw.getInt());
            default -> Optional.empty();
        };
    }

    private static Optional<Double> typed(TensorProto tensor) {
        if (tensor.getFloatDataCount() == 1) {
            return Optional.of((double) tensor.getFloatData(0));
        }
        if (tensor.getInt64DataCount() == 1) {
            return Optional.of((double) tensor.getInt64Data(0));
        }
        return tensor.getDoubleDataCount() == 1 ? Optional.of(tensor.getDoubleData(0)) : Optional.empty();
    }

    private static void put(ByteBuffer raw, ElementType element, double value) {
        switch (element) {
            case FLOAT -> raw.putFloat((float) value);
            case DOUBLE -> raw.putDouble(value);
            case FLOAT16 -> raw.putShort(Float.floatToFloat16((float) value));
            case BFLOAT16 -> raw.putShort((short) (Float.floatToIntBits((float) value) >>> 16));
            case INT64, UINT64 -> raw.putLong((long) value);
            case INT32, UINT32 -> raw.putInt((int) value);
            case INT16, UINT16 -> raw.putShort((short) value);
            case INT8, UINT8, BOOL -> raw.put((byte) value);
            case UNDEFINED, STRING, COMPLEX64, COMPLEX128 -> unsupported(element);
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 -> unsupported(element);
            case UINT4, INT4, FLOAT4E2M1, UINT2, INT2 -> unsupported(element);
        }
    }

    private static void unsupported(ElementType element) {
        throw new UnsupportedOperatorException("a constant of type " + element + " cannot be made");
    }
}
