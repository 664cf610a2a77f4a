package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/**
 * Bounds of the work that a replica accepts.
 *
 * @param contextLength most tokens of a prompt and its text together; at least 2
 * @param maxSequences most texts that are generated at a time; at least 1
 * @param kvCacheBytes most bytes of keys and values of all these texts
 * @param queue most requests that wait for one of them to end; further ones are refused
 * @param maxWaitMillis longest time that a request waits, in milliseconds
 */
public record GenerationLimits(int contextLength, int maxSequences, long kvCacheBytes, int queue, long maxWaitMillis) {
    /** Tokens of a block, in which beginnings of prompts are kept and sent. */
    public static final int PREFIX_BLOCK = 64;

    private static final long BLOCK = 16;

    /** Of the memory for keys and values, for the beginnings of prompts. */
    private static final int PREFIX_PART = 4;

    public GenerationLimits {
        Checks.that(contextLength >= 2, "contextLength is %d, must be 2 or more", contextLength);
        Checks.that(maxSequences >= 1, "maxSequences is %d, must be 1 or more", maxSequences);
        Checks.that(kvCacheBytes >= 1, "kvCache.maxBytes is %d, must be 1 or more", kvCacheBytes);
        Checks.that(queue >= 0, "queue.max is %d, must be 0 or more", queue);
        Checks.that(maxWaitMillis >= 0, "queue.maxWaitMillis is %d, must be 0 or more", maxWaitMillis);
    }

    /** Most texts that a replica has at a time, those included that wait. */
    public int mostTexts() {
        return Math.addExact(maxSequences, queue);
    }

    /** Tokens that a replica counts for a text of so many: memory is shared out in blocks of them. */
    public static long charged(long tokens) {
        return Math.ceilDiv(tokens, BLOCK) * BLOCK;
    }

    /** Tokens whose keys and values the memory holds. */
    public long tokens(long bytesPerToken) {
        return kvCacheBytes / bytesPerToken;
    }

    /**
     * Of these, those that are kept of the beginnings of prompts, for prompts that begin alike: a quarter, or what
     * there is beside one context, if that is less; negative if there is not even that.
     */
    public long prefixTokens(long bytesPerToken) {
        long tokens = tokens(bytesPerToken);
        return Math.min(tokens / PREFIX_PART, tokens - charged(contextLength));
    }

    /** Fewest bytes with which a block of a prompt is kept. */
    public static long leastBytesWithPrefixes(int contextLength, long bytesPerToken) {
        return bytesPerToken * Math.max(PREFIX_PART * PREFIX_BLOCK, charged(contextLength) + PREFIX_BLOCK);
    }
}
