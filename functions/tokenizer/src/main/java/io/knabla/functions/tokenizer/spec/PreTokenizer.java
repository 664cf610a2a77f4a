package io.knabla.functions.tokenizer.spec;

import java.util.List;

/** Splits a text into the pieces that the model sees. */
public sealed interface PreTokenizer {
    /** Writes each byte as one visible character; splits like GPT-2 before, if asked. */
    record ByteLevel(boolean addPrefixSpace, boolean split) implements PreTokenizer {}

    /** @param invert whether the pattern finds the pieces, not what is between them */
    record Split(TextPattern pattern, Behavior behavior, boolean invert) implements PreTokenizer {}

    /** Words and runs of other characters, without white space. */
    record Words() implements PreTokenizer {}

    record WhitespaceSplit() implements PreTokenizer {}

    record Bert() implements PreTokenizer {}

    /** Writes spaces as a visible character (code point) and splits before each. */
    record Metaspace(int replacement, PrependScheme prepend, boolean split) implements PreTokenizer {}

    record Digits(boolean individual) implements PreTokenizer {}

    record Punctuation(Behavior behavior) implements PreTokenizer {}

    record Sequence(List<PreTokenizer> steps) implements PreTokenizer {
        public Sequence {
            steps = List.copyOf(steps);
        }
    }
}
