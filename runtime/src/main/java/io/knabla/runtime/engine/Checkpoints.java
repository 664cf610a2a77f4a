package io.knabla.runtime.engine;

import java.util.List;

/** Where the state of a training unit outlives its replica. Used by one thread at a time. */
public interface Checkpoints {
    /**
     * Fills the tensors, named after the state's inputs, with the newest state.
     *
     * @return how many steps led to it
     */
    long load(List<Tensor> state);

    /**
     * Makes this the state after {@code step} steps, durably, unless someone else changed it since the last
     * {@link #load} or {@code save}.
     *
     * @return false when someone did; then nothing was written
     * @throws RuntimeException when nobody knows whether it was written
     */
    boolean save(List<Tensor> state, long step);
}
