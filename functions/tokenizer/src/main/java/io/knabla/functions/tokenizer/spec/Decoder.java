package io.knabla.functions.tokenizer.spec;

import java.util.List;

/** One step that turns tokens back into text. */
public sealed interface Decoder {
    /** Joins the tokens with spaces: what is done where a tokenizer names no decoder. */
    record Spaces() implements Decoder {}

    record ByteLevel() implements Decoder {}

    record ByteFallback() implements Decoder {}

    record Metaspace(int replacement, PrependScheme prepend) implements Decoder {}

    record WordPiece(String prefix, boolean cleanup) implements Decoder {}

    record Replace(TextPattern pattern, String content) implements Decoder {}

    record Fuse() implements Decoder {}

    /** Removes up to so many of a character (code point) at the ends of each token. */
    record Strip(int character, int start, int stop) implements Decoder {}

    record Sequence(List<Decoder> steps) implements Decoder {
        public Sequence {
            steps = List.copyOf(steps);
        }
    }
}
