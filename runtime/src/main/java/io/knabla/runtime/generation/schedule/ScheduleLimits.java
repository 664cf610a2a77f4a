package io.knabla.runtime.generation.schedule;

/**
 * Bounds that the scheduler keeps.
 *
 * @param sequences most running at a time; 1 or more
 * @param kvTokens most tokens whose keys and values are kept; at least those of one whole context
 * @param chunk most prompt tokens that one step reads; at least {@value #LEAST_CHUNK}
 */
public record ScheduleLimits(int sequences, long kvTokens, int chunk) {
    /** Two parts of two tokens each: so a rest of one token can be avoided. */
    public static final int LEAST_CHUNK = 4;

    /** Tokens by which memory is accounted, for a page holds several. */
    static final int BLOCK = 16;

    public ScheduleLimits {
        if (sequences < 1 || kvTokens < BLOCK || chunk < LEAST_CHUNK) {
            throw new IllegalArgumentException(
                    "need 1 sequence, %d tokens of keys and values, a chunk of %d or more; was %d, %d, %d"
                            .formatted(BLOCK, LEAST_CHUNK, sequences, kvTokens, chunk));
        }
    }

    /** Tokens in whole blocks. */
    public static long charged(long tokens) {
        return Math.ceilDiv(tokens, (long) BLOCK) * BLOCK;
    }
}
