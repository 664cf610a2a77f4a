package io.knabla.runtime.engine;

/**
 * New tokens of adjacent sequences, for one run of a decoder.
 *
 * @param tokens ids, [sequences, tokens of each]
 * @param lengths of the sequences with their new tokens, [sequences]
 * @param logitRows indices into all tokens of those whose logits are wanted, ascending; may be empty
 */
public record DecoderInputs(long[] tokens, int[] lengths, long[] logitRows) {
    int sequences() {
        return lengths.length;
    }

    int longest() {
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /** The engine counts the positions before the last one. */
    int[] lastPositions() {
        int[] last = lengths.clone();
        for (int i = 0; i < last.length; i++) {
            last[i]--;
        }
        return last;
    }
}
