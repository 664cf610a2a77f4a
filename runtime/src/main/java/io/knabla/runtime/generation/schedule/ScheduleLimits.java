package io.knabla.runtime.generation.schedule;

import java.util.List;

/**
 * Bounds that the scheduler keeps.
 *
 * @param sequences most running at a time; 1 or more
 * @param kvTokens most tokens whose keys and values are kept; at least those of one whole context
 * @param chunk most prompt tokens that one step reads; at least {@value #LEAST_CHUNK}
 * @param forecast tokens that each sequence is expected to generate at most, for which there is memory when one more is
 *     admitted
 */
public record ScheduleLimits(int sequences, long kvTokens, int chunk, int forecast) {
    /** Two parts of two tokens each: so a rest of one token can be avoided. */
    public static final int LEAST_CHUNK = 4;

    /** Tokens by which memory is accounted, for a page holds several. */
    static final int BLOCK = 16;

    public ScheduleLimits {
        if (sequences < 1 || kvTokens < BLOCK || chunk < LEAST_CHUNK || forecast < 0) {
            throw new IllegalArgumentException(
                    "need 1 sequence, %d tokens of keys and values, a chunk of %d, a forecast of 0 or more; was %s"
                            .formatted(BLOCK, LEAST_CHUNK, List.of(sequences, kvTokens, chunk, forecast)));
        }
    }

    /** Tokens in whole blocks. */
    public static long charged(long tokens) {
        return Math.ceilDiv(tokens, (long) BLOCK) * BLOCK;
    }
}
