package io.knabla.runtime.generation;

import java.nio.ByteBuffer;
import java.util.List;

/** Receives the keys and values that were computed of a prompt, for the replica that asked for them. Thread-safe. */
public interface PrefixExport {
    /** Number of the first block that is asked for. */
    int first();

    /**
     * Takes blocks that were read; called once at most.
     *
     * @param blocks the memory of each, valid until {@code free} runs
     * @param free to be run once, on any thread
     */
    void take(List<ByteBuffer> blocks, Runnable free);
}
