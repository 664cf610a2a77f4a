package io.knabla.runtime.engine;

import java.util.List;

/** Durable storage for the state of a training unit. Used by one thread at a time. */
public interface Checkpoints {
    /**
     * Loads the newest state into the tensors, which carry the names of the graph's state inputs.
     *
     * @return number of steps that led to this state
     */
    long load(List<Tensor> state);

    /**
     * Stores this as the state after {@code step} steps, unless another writer changed it since the last {@link #load}
     * or {@code save}.
     *
     * @return false if another writer changed it; then nothing was written
     * @throws RuntimeException if it is unknown whether the state was written
     */
    boolean save(List<Tensor> state, long step);
}
