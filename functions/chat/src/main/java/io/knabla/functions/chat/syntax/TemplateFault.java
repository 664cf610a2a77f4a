package io.knabla.functions.chat.syntax;

/**
 * One error in a template.
 *
 * @param message what was found, and what is allowed
 */
public record TemplateFault(Position at, String message) {
    @Override
    public String toString() {
        return at + ": " + message;
    }
}
