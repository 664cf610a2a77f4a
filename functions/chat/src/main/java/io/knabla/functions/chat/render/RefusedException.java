package io.knabla.functions.chat.render;

/** The template cannot be rendered with these variables; the message says why. */
public final class RefusedException extends RuntimeException {
    RefusedException(String sentence) {
        super(sentence, null, false, false);
    }

    static RefusedException of(String message, Object... arguments) {
        return new RefusedException(message.formatted(arguments));
    }
}
