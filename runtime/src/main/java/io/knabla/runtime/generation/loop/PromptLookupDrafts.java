package io.knabla.runtime.generation.loop;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/** Drafts what followed the last tokens of a text before (Saxena, Prompt Lookup Decoding, 2023). */
final class PromptLookupDrafts implements Drafts {
    /** A match of more tokens is hardly ever another match than one of so many. */
    private static final int LONGEST_MATCH = 3;

    /** What follows a single token is too seldom the same. */
    private static final int SHORTEST_MATCH = 2;

    @Override
    public Optional<Supplier<int[]>> draft(TextSequence sequence, int most) {
        int[] draft = sequence.lookUp(sequence.draftable(most));
        return draft.length > 0 ? Optional.of(() -> draft) : Optional.empty();
    }

    /** It keeps nothing. */
    @Override
    public void release(TextSequence sequence) {}

    /** It holds nothing. */
    @Override
    public void close() {}

    /**
     * What followed the last place before the end where the longest suffix stands; empty if there is none.
     *
     * @param tokens of which the first {@code count} are the text
     * @param most tokens of the draft; none if 0 or less
     */
    static int[] draft(int[] tokens, int count, int most) {
        if (most > 0) {
            for (int length = LONGEST_MATCH; length >= SHORTEST_MATCH; length--) {
                int end = endOfMatch(tokens, count, length);
                if (end > 0) {
                    return Arrays.copyOfRange(tokens, end, Math.min(count, end + most));
                }
            }
        }
        return new int[0];
    }

    /** Index after the last occurrence of the last {@code length} tokens before them; 0 if there is none. */
    private static int endOfMatch(int[] tokens, int count, int length) {
        for (int end = count - 1; end >= length; end--) {
            if (Arrays.equals(tokens, end - length, end, tokens, count - length, count)) {
                return end;
            }
        }
        return 0;
    }
}
