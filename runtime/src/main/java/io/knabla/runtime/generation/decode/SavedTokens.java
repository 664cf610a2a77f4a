package io.knabla.runtime.generation.decode;

import java.nio.ByteBuffer;

/** Saved part of a KV cache: keys and values of adjacent tokens of one sequence, outside of the decoder's slots. */
public interface SavedTokens extends AutoCloseable {
    /** Number of tokens. */
    int count();

    /**
     * Its memory, to be read or filled until it is closed. Decoders of equal graphs can exchange it: of each layer the
     * keys, then the values, each [kvHeads, count, headWidth] numbers in the order of the machine.
     */
    ByteBuffer bytes();

    /** Frees the memory; to be called once. */
    @Override
    void close();
}
