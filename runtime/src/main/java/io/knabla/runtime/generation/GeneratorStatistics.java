package io.knabla.runtime.generation;

/**
 * Counters since the start of a replica, and the present use of its memory.
 *
 * @param promptTokens read by the decoder, those that it read again after a failure included
 * @param cachedTokens of prompts, that were not read because the beginning of another prompt was the same
 * @param generatedTokens chosen
 * @param draftTokens drafted by speculation
 * @param acceptedTokens of these, those that were chosen then
 * @param preemptions interruptions of a text because the memory of keys and values was full
 * @param kvBytesUsed bytes of keys and values of the texts that are being generated
 * @param kvBytesBudget most of these bytes
 * @param latencies times of texts
 */
public record GeneratorStatistics(
        long promptTokens,
        long cachedTokens,
        long generatedTokens,
        long draftTokens,
        long acceptedTokens,
        long preemptions,
        Prefill prefill,
        long kvBytesUsed,
        long kvBytesBudget,
        TextLatencies latencies) {
    /**
     * What other replicas did for prompts of this one.
     *
     * @param tokens that they have read
     * @param failures requests to them after which the rest was read here
     */
    public record Prefill(long tokens, long failures) {
        public static final Prefill NONE = new Prefill(0, 0);
    }
}
