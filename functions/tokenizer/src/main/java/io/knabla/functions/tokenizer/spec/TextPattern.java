package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.pattern.SafeRegex;

/** What is searched in a text. */
public sealed interface TextPattern {
    record Literal(String text) implements TextPattern {}

    record Regex(SafeRegex regex) implements TextPattern {}
}
