package io.knabla.runtime.generation.decode;

/** Keys and values of one sequence outside of the slots. */
public interface SavedSlot extends AutoCloseable {
    /** Frees the memory; to be called once, unless it was restored. */
    @Override
    void close();
}
