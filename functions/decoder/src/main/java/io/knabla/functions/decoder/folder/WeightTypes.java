package io.knabla.functions.decoder.folder;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/** Converts weights from the element type in which they are stored to 32-bit floats. */
final class WeightTypes {
    static final Set<DataType> KNOWN = Set.of(DataType.FP32, DataType.FP16, DataType.BF16);

    private WeightTypes() {}

    static void decode(DataType type, ByteBuffer bytes, float[] to) {
        ByteBuffer ordered = bytes.order(ByteOrder.LITTLE_ENDIAN);
        switch (type) {
            case FP32 -> ordered.asFloatBuffer().get(to);
            case FP16 -> {
                for (int i = 0; i < to.length; i++) {
                    to[i] = Float.float16ToFloat(ordered.getShort(2 * i));
                }
            }
            case BF16 -> {
                for (int i = 0; i < to.length; i++) {
                    to[i] = Float.intBitsToFloat(ordered.getShort(2 * i) << 16);
                }
            }
            default -> throw new IllegalArgumentException("weights of type " + type);
        }
    }
}
