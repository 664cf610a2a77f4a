package io.knabla.runtime.encoder;

/** The model's output for a text is not a number, which a repetition does not change. */
public final class NotFiniteException extends RuntimeException {
    NotFiniteException(int text) {
        super(
                "the model's output for the text at %d is not a finite number; its weights may be damaged"
                        .formatted(text),
                null,
                false,
                false);
    }
}
