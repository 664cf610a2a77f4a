package io.knabla.runtime.generation.grammar.pattern;

/** A regular expression is malformed, or has a part that is not supported. */
public final class BadPatternException extends RuntimeException {
    BadPatternException(String sentence) {
        super(sentence, null, false, false);
    }
}
