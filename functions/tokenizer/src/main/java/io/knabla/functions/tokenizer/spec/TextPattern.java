package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.pattern.SafeRegex;

/** Pattern that is searched in a text: a literal text or a regular expression. */
public sealed interface TextPattern {
    record Literal(String text) implements TextPattern {}

    record Regex(SafeRegex regex) implements TextPattern {}
}
