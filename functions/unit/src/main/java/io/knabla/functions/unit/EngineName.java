package io.knabla.functions.unit;

/**
 * Name of a value in the graph that the engine reads. It is the name in the manifest, except for characters that the
 * engine's Java binding cannot pass on: JNI's modified UTF-8 has other bytes for NUL and for characters beyond the
 * basic multilingual plane. Stored graphs have <code>\&#117;{1f600}</code> in their place.
 */
public final class EngineName {
    private static final String OPEN = "\\u{";
    private static final String CLOSE = "}";
    private static final int HEX = 16;

    private EngineName() {}

    /** The name in the stored graph; different for different names. */
    public static String of(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isEscaped(name, i)) {
                return escaped(name);
            }
        }
        return name;
    }

    /** The name that {@link #of} got; a text that it did not write stays as it is. */
    public static String original(String stored) {
        var name = new StringBuilder();
        int at = 0;
        for (int open = stored.indexOf(OPEN); open >= 0; open = stored.indexOf(OPEN, at)) {
            int digits = open + OPEN.length();
            int close = stored.indexOf(CLOSE, digits);
            int character = close < 0 ? -1 : character(stored, digits, close);
            name.append(stored, at, open);
            at = character < 0 ? digits : close + CLOSE.length();
            if (character < 0) {
                name.append(OPEN);
            } else {
                name.appendCodePoint(character);
            }
        }
        return name.append(stored, at, stored.length()).toString();
    }

    /** The character with the code point that the text has there in hexadecimal digits; -1 if it has none. */
    private static int character(String text, int from, int until) {
        try {
            int character = Integer.parseInt(text, from, until, HEX);
            return Character.isValidCodePoint(character) ? character : -1;
        } catch (NumberFormatException other) {
            return -1;
        }
    }

    private static String escaped(String name) {
        var stored = new StringBuilder();
        for (int i = 0; i < name.length(); i = name.offsetByCodePoints(i, 1)) {
            int character = name.codePointAt(i);
            if (isEscaped(name, i)) {
                stored.append(OPEN).append(Integer.toHexString(character)).append(CLOSE);
            } else {
                stored.appendCodePoint(character);
            }
        }
        return stored.toString();
    }

    private static boolean isEscaped(String name, int at) {
        char c = name.charAt(at);
        return c == 0 || Character.isSurrogate(c) || name.startsWith(OPEN, at);
    }
}
