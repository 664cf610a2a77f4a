package io.knabla.runtime.generation;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** Replicas that read prompts for this one, so that it only generates. Thread-safe. */
public interface PrefixSource extends AutoCloseable {
    /**
     * Asks for the keys and values of adjacent blocks of a prompt, and returns at once.
     *
     * @param first number of the first of these blocks in the prompt
     * @param room memory of each block, to be filled in this order
     * @param done is told, once and on any thread, what came; then the room is left alone
     */
    void fetch(int[] prompt, int first, List<ByteBuffer> room, Consumer<Fetched> done);

    /**
     * What came.
     *
     * @param blocks that were filled, the first ones; fewer than asked for if there are no more, or after a failure
     * @param cachedTokens of the prompt, from its first one on, that were not read for this request there either
     * @param failed whether it is better not to ask at once again
     */
    record Fetched(int blocks, int cachedTokens, boolean failed) {
        public static final Fetched FAILED = new Fetched(0, 0, true);
    }

    @Override
    void close();
}
