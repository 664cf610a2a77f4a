package io.knabla.functions.spec;

import java.util.LinkedHashMap;
import java.util.List;

/**
 * Parsed but untyped YAML or JSON document.
 *
 * <p>YAML aliases share nodes, so the tree is a graph. Walk it only along the schema: walking all of it can take
 * exponential time for a small file.
 */
sealed interface Tree {
    enum Kind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NULL
    }

    /**
     * A scalar with its resolved type.
     *
     * @param text as written, without quotes and escapes
     */
    record Scalar(Kind kind, String text) implements Tree {}

    record Mapping(LinkedHashMap<String, Tree> entries) implements Tree {}

    record Sequence(List<Tree> items) implements Tree {}

    default boolean isNull() {
        return this instanceof Scalar(Kind kind, String text) && kind == Kind.NULL;
    }

    /** Description for messages: "found …". */
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

    static String clipped(String text) {
        return clipped(text, 60);
    }

    /** Shortens untrusted text and replaces characters that are not printable. */
    static String clipped(String text, int most) {
        String start = text.length() > most ? text.substring(0, most - 3) + "..." : text;
        return start.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]", "?");
    }
}
