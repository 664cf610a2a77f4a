package io.knabla.runtime.schedule;

/**
 * Bounds that the scheduler keeps.
 *
 * @param sequences most running at a time; 1 or more
 * @param kvTokens most tokens whose keys and values are kept; at least those of one whole context
 * @param forecast tokens that each sequence is expected to generate at most, for which there is memory when one more is
 *     admitted
 */
public record ScheduleLimits(int sequences, long kvTokens, int forecast) {
    /** Tokens by which memory is accounted, for a page holds several. */
    static final int BLOCK = 16;

    public ScheduleLimits {
        if (sequences < 1 || kvTokens < BLOCK || forecast < 0) {
            throw new IllegalArgumentException(
                    "need 1 sequence, %d tokens of keys and values, a forecast of 0 or more; was %d, %d, %d"
                            .formatted(BLOCK, sequences, kvTokens, forecast));
        }
    }

    /** Tokens in whole blocks. */
    public static long charged(long tokens) {
        return Math.ceilDiv(tokens, (long) BLOCK) * BLOCK;
    }
}
