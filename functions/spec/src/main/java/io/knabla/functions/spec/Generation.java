package io.knabla.functions.spec;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits of text generation.
 *
 * @param contextLength most tokens of a prompt and its answer together; empty for the most that the model was made for
 * @param maxSequences texts that one replica generates at a time
 * @param kvCache memory of a replica for keys and values
 * @param streamIdleTimeout longest silence within a stream; empty for the function's {@code timeout}
 * @param speculation how tokens are drafted, to be verified together
 * @param prefill who reads prompts; empty for each replica its own
 */
public record Generation(
        Optional<Integer> contextLength,
        int maxSequences,
        KvCache kvCache,
        Queue queue,
        Optional<Duration> streamIdleTimeout,
        Objectives objectives,
        Speculation speculation,
        Optional<Prefill> prefill) {
    /** The limits of a function that sets none. */
    public static final Generation DEFAULT = new Generation(
            Optional.empty(),
            16,
            KvCache.DEFAULT,
            new Queue(64, Duration.ofSeconds(30)),
            Optional.empty(),
            Objectives.NONE,
            Speculation.NONE,
            Optional.empty());

    /**
     * Memory for keys and values.
     *
     * @param maxBytes of one replica; empty for what all sequences take, within bounds
     */
    public record KvCache(Optional<Long> maxBytes, KvCacheType type) {
        static final KvCache DEFAULT = new KvCache(Optional.empty(), KvCacheType.Float32);
    }

    /** Numbers that keys and values are kept in. */
    public enum KvCacheType {
        /** Floating-point numbers of 32 bits. */
        Float32,
        /** Whole numbers of 8 bits, whose scales are measured while the model is packaged. */
        Int8
    }

    /**
     * Requests that wait for a sequence to end.
     *
     * @param max requests beyond these are refused at once
     * @param maxWait after which a request is refused
     */
    public record Queue(int max, Duration maxWait) {}

    /**
     * Times that texts should keep; what misses them is counted.
     *
     * @param timeToFirstToken from a request's arrival to its first token
     * @param timePerOutputToken mean time between the tokens of a text; long prompts are read in pieces that keep it
     */
    public record Objectives(Optional<Duration> timeToFirstToken, Optional<Duration> timePerOutputToken) {
        static final Objectives NONE = new Objectives(Optional.empty(), Optional.empty());
    }

    /**
     * Drafts of tokens, which are verified in one run (speculative decoding).
     *
     * @param maxTokens most tokens of a draft; empty for {@value #USUAL_TOKENS}
     * @param model folder of the small model that drafts, a relative path; given for type Draft only
     */
    public record Speculation(SpeculationType type, Optional<Integer> maxTokens, Optional<String> model) {
        /** Longer drafts seldom pay with weights of 4 bits. */
        public static final int USUAL_TOKENS = 4;

        static final Speculation NONE = new Speculation(SpeculationType.None, Optional.empty(), Optional.empty());
    }

    /**
     * Prompts that are read apart from the texts' tokens (disaggregated prefill).
     *
     * @param function of the same namespace and model whose replicas read them
     */
    public record Prefill(String function) {}

    /** Where drafts come from. */
    public enum SpeculationType {
        /** There are none. */
        None,
        /** What followed the text's last tokens before. */
        PromptLookup,
        /** What a small model would write. */
        Draft
    }
}
