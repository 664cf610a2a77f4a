package io.knabla.functions.tokenizer.spec;

/**
 * Algorithm that turns a piece of text into tokens (BPE, WordPiece or Unigram), without its vocabulary. Unknown ids are
 * -1 if the model has none.
 */
public sealed interface Model {
    /**
     * Byte pair encoding.
     *
     * @param prefix what tokens that continue a word begin with
     * @param suffix what tokens that end a word end with
     */
    record Bpe(
            int unknownId,
            boolean fuseUnknown,
            boolean byteFallback,
            boolean ignoreMerges,
            String prefix,
            String suffix)
            implements Model {}

    /** @param longestWord in code points; longer words are unknown */
    record WordPiece(int unknownId, String prefix, int longestWord) implements Model {}

    record Unigram(int unknownId, boolean byteFallback) implements Model {}
}
