package io.knabla.functions.spec;

import java.util.LinkedHashMap;
import java.util.List;

/**
 * A document as written, before anything is known of its meaning; the same for YAML and JSON.
 *
 * <p>Aliases make it a graph whose parts are shared: walk it along the schema only, never whole, or a small file can be
 * made to take forever.
 */
sealed interface Tree {
    enum Kind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NULL
    }

    /** @param text as written, quotes and escapes undone */
    record Scalar(Kind kind, String text) implements Tree {}

    record Mapping(LinkedHashMap<String, Tree> entries) implements Tree {}

    record Sequence(List<Tree> items) implements Tree {}

    default boolean isNull() {
        return this instanceof Scalar(Kind kind, String text) && kind == Kind.NULL;
    }

    /** For a fault's "found …". */
    default String described() {
        return switch (this) {
            case Mapping mapping -> "a mapping";
            case Sequence sequence -> "a list";
            case Scalar(Kind kind, String text) ->
                switch (kind) {
                    case TEXT -> "the text " + quoted(text);
                    case INTEGER, DECIMAL -> "the number " + clipped(text);
                    case BOOLEAN -> "the boolean " + clipped(text);
                    case NULL -> "nothing";
                };
        };
    }

    static String quoted(String text) {
        return "'" + clipped(text) + "'";
    }

    /** Short and printable, whatever a stranger wrote. */
    static String clipped(String text) {
        String start = text.length() > 60 ? text.substring(0, 57) + "..." : text;
        return start.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]", "?");
    }
}
