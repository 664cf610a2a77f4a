package io.knabla.functions.decoder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** Weights that are computed from their names, as decoders.py and encoders.py do it. */
final class HashedWeights {
    private HashedWeights() {}

    /** @param shapes sizes by name */
    static List<Values> of(JsonNode shapes) {
        return of(shapes, 1);
    }

    /** @param biases factor of the tensors whose names end with {@code .bias} */
    static List<Values> of(JsonNode shapes, float biases) {
        List<Values> weights = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : shapes.properties()) {
            List<Long> shape =
                    entry.getValue().valueStream().map(JsonNode::longValue).toList();
            weights.add(new Values(
                    new TensorSpec(entry.getKey(), DataType.FP32, shape, Collections.nCopies(shape.size(), "")),
                    numbers(
                            entry.getKey(),
                            shape.stream().reduce(1L, Math::multiplyExact),
                            entry.getKey().endsWith(".bias") ? biases : 1)));
        }
        return weights;
    }

    /** Uniform in (-factor, factor). */
    private static ByteBuffer numbers(String name, long count, float factor) {
        var seed = new CRC32();
        seed.update(name.getBytes(StandardCharsets.UTF_8));
        var bytes = ByteBuffer.allocate((int) count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(factor * (float) (Integer.toUnsignedLong(mixed(i + (int) seed.getValue())) / 0x1p31 - 1));
        }
        return bytes.flip();
    }

    private static int mixed(int index) {
        int h = index;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        return h ^ h >>> 16;
    }
}
