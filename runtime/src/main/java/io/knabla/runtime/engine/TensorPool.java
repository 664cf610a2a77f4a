package io.knabla.runtime.engine;

import io.knabla.functions.unit.DataType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Pool of input or output tensors with their direct memory and engine handle, reused for requests of the same shape.
 * Allocating both costs a small request about a tenth of its time.
 */
public final class TensorPool {
    private static final int MAX_IDLE = 32;

    private final HostMemory memory;
    private final Map<String, ArrayBlockingQueue<Tensor>> idle = new HashMap<>();

    /** A pool for tensors with these names. */
    public static TensorPool of(List<String> names) {
        return new TensorPool(names, HostMemory.PLAIN);
    }

    TensorPool(List<String> names, HostMemory memory) {
        this.memory = memory;
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
            discard(pooled);
        }
        Tensor fresh = Tensor.numbers(name, type, shape, memory.take(bytes));
        assert UnwrittenPattern.fill(fresh);
        return fresh;
    }

    void give(Tensor tensor) {
        boolean worthKeeping = tensor.handle != null
                && !tensor.borrowed
                && tensor.texts() == null
                && tensor.data().capacity() <= PlainMemory.LARGEST_POOLED;
        if (!worthKeeping || !idle.get(tensor.name()).offer(tensor)) {
            discard(tensor);
        }
    }

    private void discard(Tensor tensor) {
        tensor.close();
        if (!tensor.borrowed && tensor.texts() == null) {
            memory.give(tensor.data());
        }
    }

    void close() {
        for (ArrayBlockingQueue<Tensor> tensors : idle.values()) {
            tensors.removeIf(tensor -> {
                discard(tensor);
                return true;
            });
        }
    }
}
