package io.knabla.functions.chat.syntax;

/** Reads the escapes of a string literal, which are Python's. */
final class Escapes {
    private final String written;
    private final StringBuilder value = new StringBuilder();
    private int at;

    private Escapes(String written) {
        this.written = written;
    }

    /** @throws IllegalArgumentException for an escape that names no character */
    static String read(String written) {
        return written.indexOf('\\') < 0 ? written : new Escapes(written).run();
    }

    private String run() {
        while (at < written.length()) {
            char c = written.charAt(at++);
            if (c == '\\' && at < written.length()) {
                escape(written.charAt(at++));
            } else {
                value.append(c);
            }
        }
        return value.toString();
    }

    private void escape(char c) {
        switch (c) {
            case '\n' -> {}
            case '\\', '\'', '"' -> value.append(c);
            case 'n' -> value.append('\n');
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'a' -> value.append('\u0007');
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case 'v' -> value.append('\u000b');
            case 'x' -> hex(2);
            case 'u' -> hex(4);
            case 'U' -> hex(8);
            case 'N' -> throw new IllegalArgumentException("\\N{…} in a string is not supported; write the character");
            default -> other(c);
        }
    }

    private void other(char c) {
        if (c < '0' || c > '7') {
            value.append('\\').append(c);
            return;
        }
        int code = c - '0';
        for (int digits = 1; digits < 3 && at < written.length() && isOctal(written.charAt(at)); digits++) {
            code = code * 8 + written.charAt(at++) - '0';
        }
        value.appendCodePoint(code);
    }

    private static boolean isOctal(char c) {
        return c >= '0' && c <= '7';
    }

    private void hex(int digits) {
        String code = written.substring(at, Math.min(at + digits, written.length()));
        if (!code.matches("[0-9a-fA-F]{" + digits + "}") || Long.parseLong(code, 16) > Character.MAX_CODE_POINT) {
            throw new IllegalArgumentException("\\%s in a string needs %d hexadecimal digits of a character"
                    .formatted(written.charAt(at - 1), digits));
        }
        value.appendCodePoint(Integer.parseInt(code, 16));
        at += digits;
    }
}
