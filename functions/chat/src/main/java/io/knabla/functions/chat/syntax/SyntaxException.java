package io.knabla.functions.chat.syntax;

/** A tag cannot be read further; reading goes on after it. */
final class SyntaxException extends RuntimeException {
    final transient TemplateFault fault;

    SyntaxException(Position at, String message, Object... arguments) {
        super(null, null, false, false);
        fault = new TemplateFault(at, message.formatted(arguments));
    }
}
