package io.knabla.runtime.generation;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Fetches keys and values of prompts from replicas that read them for this one (prefill). Thread-safe. */
public interface PrefixSource extends AutoCloseable {
    /**
     * Asks for the keys and values of adjacent blocks of a prompt, and returns at once.
     *
     * @param prompt the beginning of a prompt, which ends soon after the last of these blocks
     * @param first number of the first of these blocks in the prompt
     * @param room gives the memory of each block, to be filled in this order; called once at most, on any thread
     * @param done is told, once and on any thread, what came; then the room is left alone
     * @return ends the fetch if it is not done; may run on any thread
     */
    Runnable fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done);

    /**
     * What came.
     *
     * @param blocks that were filled, the first ones; fewer than there is room for if there are no more, or after a
     *     failure
     * @param cachedTokens of the prompt, from its first one on, that were not read for this request there either
     * @param failed whether it is better not to ask at once again
     */
    record Fetched(int blocks, int cachedTokens, boolean failed) {
        public static final Fetched FAILED = new Fetched(0, 0, true);
    }

    @Override
    void close();
}
