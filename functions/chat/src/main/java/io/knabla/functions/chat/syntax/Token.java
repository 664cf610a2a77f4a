package io.knabla.functions.chat.syntax;

/**
 * A piece of a tag.
 *
 * @param text of a string its value, of others as it is written
 */
record Token(Kind kind, String text, Position at) {
    enum Kind {
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        END
    }

    boolean is(Kind wanted, String written) {
        return kind == wanted && text.equals(written);
    }

    @Override
    public String toString() {
        return kind == Kind.END ? "the end of the tag" : Faults.quote(text);
    }
}
