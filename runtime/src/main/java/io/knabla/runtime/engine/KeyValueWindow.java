package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.DecoderShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys and values of adjacent sequences, bound as input and output of a run at once: the engine appends to them in
 * place where both have one address.
 */
public final class KeyValueWindow implements AutoCloseable {
    private final List<OnnxTensor> tensors = new ArrayList<>();
    private final Map<String, OnnxTensorLike> past = new HashMap<>();
    private final Map<String, OnnxValue> present = new HashMap<>();

    /** @param buffers keys and values of each layer in turn, each [sequences, kvHeads, positions, headWidth] */
    KeyValueWindow(DecoderShape shape, List<ByteBuffer> buffers, int sequences, int positions) throws OrtException {
        long[] sizes = {sequences, shape.kvHeads(), positions, shape.headWidth()};
        for (int i = 0; i < buffers.size(); i++) {
            String part = ".%d.%s".formatted(i / 2, i % 2 == 0 ? "key" : "value");
            OnnxTensor tensor =
                    OnnxTensor.createTensor(Sessions.environment(), buffers.get(i), sizes, numbers(shape.cache()));
            tensors.add(tensor);
            past.put("past" + part, tensor);
            present.put("present" + part, tensor);
        }
    }

    private static OnnxJavaType numbers(CacheType type) {
        return switch (type) {
            case FLOAT32 -> OnnxJavaType.FLOAT;
            case INT8 -> OnnxJavaType.INT8;
        };
    }

    Map<String, OnnxTensorLike> past() {
        return past;
    }

    Map<String, OnnxValue> present() {
        return present;
    }

    /** Frees the engine's handles; the memory stays. */
    @Override
    public void close() {
        tensors.forEach(OnnxTensor::close);
    }
}
