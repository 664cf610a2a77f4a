package io.knabla.runtime.generation.decode;

/** Keys and values of adjacent tokens of one sequence, outside of the slots. */
public interface SavedTokens extends AutoCloseable {
    /** Number of tokens. */
    int count();

    /** Frees the memory; to be called once. */
    @Override
    void close();
}
