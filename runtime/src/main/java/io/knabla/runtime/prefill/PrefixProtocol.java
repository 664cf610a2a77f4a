package io.knabla.runtime.prefill;

import io.knabla.functions.unit.generation.KeyValueDigest;

/**
 * JSON fields and HTTP headers with which replicas exchange keys and values (KV cache) of prompts. A request is a JSON
 * object; the answer's body is the memory of adjacent blocks of
 * {@link io.knabla.functions.unit.generation.GenerationLimits#PREFIX_BLOCK} tokens, one after the other.
 */
public final class PrefixProtocol {
    /** Field: ids of the prompt's tokens. */
    public static final String PROMPT = "prompt";

    /** Field: number of the first block that is asked for. */
    public static final String FIRST_BLOCK = "first_block";

    /** Field: {@link KeyValueDigest} of who asks. */
    public static final String DIGEST = "key_values";

    /** Header of an answer: number of blocks in its body. */
    public static final String BLOCKS = "Knabla-Prefix-Blocks";

    /** Header of an answer: tokens of the prompt, from its first one on, that were not read for this request. */
    public static final String CACHED = "Knabla-Cached-Tokens";

    private PrefixProtocol() {}
}
