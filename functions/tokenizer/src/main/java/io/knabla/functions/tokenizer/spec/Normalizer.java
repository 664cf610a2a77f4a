package io.knabla.functions.tokenizer.spec;

import java.nio.ByteBuffer;
import java.text.Normalizer.Form;
import java.util.List;

/** Changes a text before it is split. */
public sealed interface Normalizer {
    record Unicode(Form form) implements Normalizer {}

    record Lowercase() implements Normalizer {}

    /** Removes marks; decomposes nothing. */
    record StripAccents() implements Normalizer {}

    /** Removes white space at the ends. */
    record Strip(boolean left, boolean right) implements Normalizer {}

    record Replace(TextPattern pattern, String content) implements Normalizer {}

    record Prepend(String text) implements Normalizer {}

    record Bert(boolean cleanText, boolean spaceChinese, boolean stripAccents, boolean lowercase)
            implements Normalizer {}

    /**
     * Replaces by the rules of a SentencePiece model.
     *
     * @param trie units of a double-array trie, little-endian
     * @param replacements texts in UTF-8, each ended by a zero byte
     */
    record Precompiled(ByteBuffer trie, ByteBuffer replacements) implements Normalizer {}

    record Sequence(List<Normalizer> steps) implements Normalizer {
        public Sequence {
            steps = List.copyOf(steps);
        }
    }
}
