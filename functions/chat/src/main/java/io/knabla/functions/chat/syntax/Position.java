package io.knabla.functions.chat.syntax;

/** A place in a template; both numbers begin at 1. */
public record Position(int line, int column) {
    @Override
    public String toString() {
        return "line %d, column %d".formatted(line, column);
    }
}
