package io.knabla.runtime.schedule;

import java.util.List;

/**
 * Decision about one step, to be carried out in this order.
 *
 * @param preempt ids of running sequences to interrupt, the newest first
 * @param admit ids of waiting sequences to start or to continue, the oldest first
 * @param chunks parts of prompts to read, the oldest sequence first
 * @param decode ids of running sequences that get their next token; those join whose prompt ends in this step
 */
public record Step(List<Long> preempt, List<Long> admit, List<Chunk> chunks, List<Long> decode, Reason reason) {
    public Step {
        preempt = List.copyOf(preempt);
        admit = List.copyOf(admit);
        chunks = List.copyOf(chunks);
        decode = List.copyOf(decode);
    }

    /** Part of a prompt: the next so many of its tokens. */
    public record Chunk(long id, int tokens) {}

    /** Why no more sequences were admitted. */
    public enum Reason {
        /** None waits. */
        NONE_WAITS,
        /** As many run as may. */
        SEQUENCES_FULL,
        /** The oldest that waits would not fit into the memory, with what all are expected to generate. */
        MEMORY_FULL,
        /** Those that run do not fit into the memory any more, so the newest are interrupted. */
        PREEMPTED
    }
}
