package io.knabla.runtime.generation.grammar;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.decode.TokenBytes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Optional;

/** Bytes of a model's tokens, and those that end a text. Immutable, some megabytes. */
public final class TokenVocabulary {
    private static final byte[] NONE = {};

    private final byte[][] bytes;
    private final int[] ends;
    private final TokenTree tree;

    private TokenVocabulary(byte[][] bytes, int[] ends) {
        this.bytes = bytes;
        this.ends = ends;
        this.tree = new TokenTree(bytes);
    }

    /**
     * Reads all tokens, which takes tenths of a second for a hundred thousand.
     *
     * @param size number of the model's logits
     * @param ends tokens that end a text
     * @return empty if the bytes of the tokenizer's tokens depend on each other
     */
    public static Optional<TokenVocabulary> of(Tokenizer tokenizer, int size, Collection<Integer> ends) {
        return tokenizer.bytes().map(bytes -> of(tokenizer, bytes, size, ends));
    }

    private static TokenVocabulary of(Tokenizer tokenizer, TokenBytes decoder, int size, Collection<Integer> ends) {
        byte[][] bytes = new byte[size][];
        for (int id = 0; id < size; id++) {
            // Special tokens are no part of a text.
            boolean without = tokenizer.isSpecial(id) || ends.contains(id);
            bytes[id] = without ? NONE : decoder.of(tokenizer.token(id));
        }
        return of(bytes, ends);
    }

    /** @param bytes of each token; empty for one that may not be chosen */
    static TokenVocabulary of(byte[][] bytes, Collection<Integer> ends) {
        return new TokenVocabulary(
                bytes,
                ends.stream()
                        .mapToInt(Integer::intValue)
                        .filter(id -> id < bytes.length)
                        .toArray());
    }

    /** Bytes that are tokens of their own: only texts of them can surely be completed. */
    public BitSet alphabet() {
        return tree.single();
    }

    /** Number of the model's logits. */
    int size() {
        return bytes.length;
    }

    byte[] bytes(int token) {
        return bytes[token];
    }

    boolean isEnd(int token) {
        return Arrays.stream(ends).anyMatch(end -> end == token);
    }

    int[] ends() {
        return ends;
    }

    TokenTree tree() {
        return tree;
    }
}
