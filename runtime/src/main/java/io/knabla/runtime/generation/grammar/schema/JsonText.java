package io.knabla.runtime.generation.grammar.schema;

import java.nio.charset.StandardCharsets;

/** Writes JSON without blanks, each character in one way only: in a text equal strings are equal bytes. */
public final class JsonText {
    private static final String ESCAPED = "\"\\\b\f\n\r\t";
    private static final String LETTERS = "\"\\bfnrt";

    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    public static String of(JsonValue value) {
        var text = new JsonText();
        text.write(value);
        return text.out.toString();
    }

    static byte[] bytes(JsonValue value) {
        return of(value).getBytes(StandardCharsets.UTF_8);
    }

    /** The character after the backslash of a short escape; -1 for a character that has none. */
    static int shortEscape(int character) {
        int at = ESCAPED.indexOf(character);
        return at < 0 ? -1 : LETTERS.charAt(at);
    }

    private void write(JsonValue value) {
        switch (value) {
            case JsonValue.Text(var text) -> string(text);
            case JsonValue.Numeral(var digits) -> out.append(digits);
            case JsonValue.Flag(var flag) -> out.append(flag);
            case JsonValue.Null _ -> out.append("null");
            case JsonValue.Items(var items) -> {
                out.append('[');
                items.forEach(item -> {
                    separate('[');
                    write(item);
                });
                out.append(']');
            }
            case JsonValue.Fields(var byName) -> {
                out.append('{');
                byName.forEach((name, field) -> {
                    separate('{');
                    string(name);
                    out.append(':');
                    write(field);
                });
                out.append('}');
            }
        }
    }

    private void separate(char opening) {
        if (out.charAt(out.length() - 1) != opening) {
            out.append(',');
        }
    }

    private void string(String text) {
        out.append('"');
        text.codePoints().forEach(this::character);
        out.append('"');
    }

    private void character(int one) {
        int letter = shortEscape(one);
        if (letter >= 0) {
            out.append('\\').append((char) letter);
        } else if (one < ' ' || Character.getType(one) == Character.SURROGATE) {
            out.append("\\u%04x".formatted(one));
        } else {
            out.appendCodePoint(one);
        }
    }
}
