package io.knabla.runtime.generation.decode;

/** Saved part of a KV cache: keys and values of adjacent tokens of one sequence, outside of the decoder's slots. */
public interface SavedTokens extends AutoCloseable {
    /** Number of tokens. */
    int count();

    /** Frees the memory; to be called once. */
    @Override
    void close();
}
