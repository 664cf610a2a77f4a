package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the numbers of small constants, for operators whose sizes depend on factors or bounds. */
final class ConstantReals {
    private ConstantReals() {}

    /** Numbers in row-major order; empty for types without use as factors and for large or external tensors. */
    static Optional<List<Double>> of(TensorProto tensor) {
        Optional<Long> count = TensorProtos.elements(tensor);
        if (count.isEmpty() || count.get() > DataPropagation.MAX || TensorProtos.isExternal(tensor)) {
            return Optional.empty();
        }
        var values = new ArrayList<Double>();
        tensor.getFloatDataList().forEach(v -> values.add(v.doubleValue()));
        tensor.getDoubleDataList().forEach(values::add);
        tensor.getInt64DataList().forEach(v -> values.add(v.doubleValue()));
        ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        switch (TensorProtos.element(tensor)) {
            case FLOAT -> read(raw, 4, values, () -> (double) raw.getFloat());
            case DOUBLE -> read(raw, 8, values, raw::getDouble);
            case INT64 -> read(raw, 8, values, () -> (double) raw.getLong());
            case INT32 -> {
                tensor.getInt32DataList().forEach(v -> values.add(v.doubleValue()));
                read(raw, 4, values, () -> (double) raw.getInt());
            }
            case FLOAT16 -> {
                tensor.getInt32DataList().forEach(v -> values.add(half(v.shortValue())));
                read(raw, 2, values, () -> half(raw.getShort()));
            }
            default -> {
                return Optional.empty();
            }
        }
        return values.size() == count.get() ? Optional.of(List.copyOf(values)) : Optional.empty();
    }

    private static double half(short bits) {
        return Float.float16ToFloat(bits);
    }

    private static void read(ByteBuffer raw, int width, List<Double> values, java.util.function.Supplier<Double> one) {
        while (raw.remaining() >= width) {
            values.add(one.get());
        }
    }
}
