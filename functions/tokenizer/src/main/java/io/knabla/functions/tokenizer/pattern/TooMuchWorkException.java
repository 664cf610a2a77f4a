package io.knabla.functions.tokenizer.pattern;

/** Reports that a regular expression of a tokenizer needs far more than linear time for a text. */
public final class TooMuchWorkException extends RuntimeException {
    TooMuchWorkException(int characters) {
        super("a regular expression of the tokenizer backtracks too much on a text of %d characters; shorten the text"
                .formatted(characters));
    }
}
