package io.knabla.runtime.generation.decode;

/**
 * Decoder with a fixed number of slots, each for the keys and values of one sequence. Used by one thread at a time.
 * Methods that run it throw a {@link RuntimeException} if the engine fails; all slots are then undefined.
 */
public interface Decoder extends AutoCloseable {
    /**
     * Appends tokens to one slot; if wanted, the logits after the last of them become row 0.
     *
     * @param length tokens that the slot holds
     */
    void prefill(int slot, int length, int[] tokens, boolean logits);

    /**
     * Appends tokens to one slot; the logits after the token at i become row i.
     *
     * @param length tokens that the slot holds
     * @param tokens at most as many as the decoder was opened for
     */
    void verify(int slot, int length, int[] tokens);

    /**
     * Appends one token to each of the first slots; the logits after the token of slot i become row i.
     *
     * @param tokens of {@link #leastRows} slots or more, else the logits can have other rounding errors
     * @param lengths tokens that each of these slots holds
     */
    void decode(int[] tokens, int[] lengths);

    /** Fewest slots with which a run that decodes rounds as with any greater number of them; 1 or 2. */
    int leastRows();

    /** Copies a row of the last run. */
    void logits(int row, float[] into);

    /** Copies the first tokens of a slot to another, and releases the slot. */
    void move(int from, int to, int length);

    /** Copies tokens of a slot to memory of their own. */
    SavedTokens copyOut(int slot, int from, int count);

    /** Memory for the keys and values of as many tokens, to be filled. Called by any thread, also after the end. */
    SavedTokens reserve(int count);

    /** Copies saved tokens to a slot, to the places from this one on. */
    void copyIn(SavedTokens saved, int slot, int from);

    /** Gives the memory of a slot's tokens back. */
    void release(int slot);

    /** Number of runs since it was opened. */
    long runs();

    @Override
    void close();
}
