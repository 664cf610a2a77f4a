package io.knabla.runtime.engine;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Pool of input or output tensors with their direct memory and engine handle, reused for requests of the same shape.
 * Allocating both costs a small request about a tenth of its time.
 */
public final class TensorPool {
    /** Above this size the run dwarfs the allocation, and pooling would waste memory. */
    private static final int MAX_POOLED_BYTES = 256 << 10;

    private static final int MAX_IDLE = 32;

    private final Map<String, ArrayBlockingQueue<Tensor>> idle = new HashMap<>();

    /** A pool for tensors with these names. */
    public static TensorPool of(List<String> names) {
        return new TensorPool(names);
    }

    TensorPool(List<String> names) {
        names.forEach(name -> idle.put(name, new ArrayBlockingQueue<>(MAX_IDLE)));
    }

    /** Takes a tensor of exactly this shape; its content is undefined. */
    public Tensor take(String name, DataType type, long[] shape, int bytes) {
        Tensor pooled = idle.get(name).poll();
        if (pooled != null) {
            if (pooled.hasShape(shape)) {
                pooled.data().clear();
                assert UnwrittenPattern.fill(pooled);
                return pooled;
            }
            pooled.close();
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Tensor fresh = Tensor.numbers(name, type, shape, memory);
        assert UnwrittenPattern.fill(fresh);
        return fresh;
    }

    void give(Tensor tensor) {
        boolean worthKeeping = tensor.handle != null
                && !tensor.borrowed
                && tensor.texts() == null
                && tensor.data().capacity() <= MAX_POOLED_BYTES;
        if (!worthKeeping || !idle.get(tensor.name()).offer(tensor)) {
            tensor.close();
        }
    }

    void close() {
        for (ArrayBlockingQueue<Tensor> tensors : idle.values()) {
            tensors.removeIf(tensor -> {
                tensor.close();
                return true;
            });
        }
    }
}
