package io.knabla.functions.unit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** The name that {@link #of} got. */
    public static String original(String stored) {
        return Pattern.compile("\\\\u\\{(10[0-9a-f]{4}|[0-9a-f]{1,5})}")
                .matcher(stored)
                .replaceAll(escaped ->
                        Matcher.quoteReplacement(Character.toString(Integer.parseInt(escaped.group(1), HEX))));
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
