package io.knabla.runtime.engine;

import io.knabla.functions.unit.DataType;
import java.util.ArrayList;
import java.util.List;

/** Tensors that one decoding took from the pool; returns all of them if the request is rejected. */
public final class TensorLease {
    private final TensorPool pool;
    private final List<Tensor> taken = new ArrayList<>(2);

    public TensorLease(TensorPool pool) {
        this.pool = pool;
    }

    public Tensor take(String name, DataType type, long[] shape, int bytes) {
        Tensor tensor = pool.take(name, type, shape, bytes);
        taken.add(tensor);
        return tensor;
    }

    public void giveBack() {
        taken.forEach(pool::give);
        taken.clear();
    }
}
