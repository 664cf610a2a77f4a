package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * RFC 8259 scanner over bytes in memory; strict but for {@code NaN}, {@code Infinity} and {@code -Infinity}, which
 * Python's clients write. Numbers go straight into a tensor, at a fraction of a general parser's cost (measured in the
 * package's Javadoc). Tests compare it with Jackson.
 */
final class JsonScanner {
    private static final int MAX_DEPTH = 64;

    private final byte[] bytes;
    private final int end;
    private int at;
    private String input;

    JsonScanner(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Names the input whose data follows, for the sentences of what is wrong with it; null after its end. */
    void reading(String name) {
        input = name;
    }

    /** A request that cannot be read; says in which input, if it is in one. */
    ProtocolException wrong(String message, Object... arguments) {
        String sentence = message.formatted(arguments);
        return input == null ? bad("%s", sentence) : bad("input '%s': %s", input, sentence);
    }

    int position() {
        return at;
    }

    void seek(int position) {
        at = position;
    }

    byte[] bytes() {
        return bytes;
    }

    int end() {
        return end;
    }

    /** Returns the next byte that is not white space without consuming it; -1 at the end. */
    int peek() {
        while (at < end) {
            byte b = bytes[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b & 0xff;
            }
            at++;
        }
        return -1;
    }

    /** Consumes {@code wanted} if it comes next. */
    boolean take(char wanted) {
        if (peek() == wanted) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char wanted, String where) {
        if (!take(wanted)) {
            throw unexpected("'" + wanted + "' " + where);
        }
    }

    /** Consumes a comma or {@code close}; true if it was a comma, so another item follows. */
    boolean more(char close) {
        if (take(',')) {
            return true;
        }
        if (take(close)) {
            return false;
        }
        throw unexpected("',' or '" + close + "'");
    }

    void expectEnd() {
        if (peek() != -1) {
            throw unexpected("the end of the JSON");
        }
    }

    /** Skips UTF-8's byte order mark, which a parser may ignore before the text (RFC 8259, section 8.1). */
    void skipByteOrderMark() {
        boolean marked = end - at >= 3
                && bytes[at] == (byte) 0xef
                && bytes[at + 1] == (byte) 0xbb
                && bytes[at + 2] == (byte) 0xbf;
        at += marked ? 3 : 0;
    }

    /**
     * Enters an object and moves to the value of its first member that is not null.
     *
     * @param object what it is, for the sentence about what is in its place
     * @return the member's name; null at the end of the object
     */
    String firstMember(String object) {
        if (!take('{')) {
            throw unexpected("'{' at the start of " + object);
        }
        return member(!take('}'));
    }

    /** Moves to the value of the next member of the object that is not null; null at its end. */
    String nextMember() {
        return member(more('}'));
    }

    /** Passes over members that are null: serialisers write absent ones so. */
    private String member(boolean more) {
        while (more) {
            String name = string("a name in quotes");
            expect(':', "after a name");
            if (!takeLiteral("null")) {
                return name;
            }
            more = more('}');
        }
        return null;
    }

    ProtocolException unexpected(String wanted) {
        if (peek() == -1) {
            return wrong("the JSON ends too early, at byte %d: expected %s", at, wanted);
        }
        int b = bytes[at] & 0xff;
        String found = b > 0x20 && b < 0x7f ? "'" + (char) b + "'" : "byte 0x%02x".formatted(b);
        return wrong("the JSON is malformed at byte %d: expected %s, found %s", at, wanted, found);
    }

    String string(String what) {
        int start = start(what);
        return plain()
                ? new String(bytes, start, at++ - start, StandardCharsets.ISO_8859_1)
                : new String(escaped(start), StandardCharsets.UTF_8);
    }

    /** The string in UTF-8. */
    byte[] utf8(String what) {
        int start = start(what);
        return plain() ? Arrays.copyOfRange(bytes, start, at++) : escaped(start);
    }

    /** Moves to the first byte of a string's text and returns its position. */
    private int start(String what) {
        if (peek() != '"') {
            throw unexpected(what);
        }
        return ++at;
    }

    /** Moves to the end of the text if it is ASCII without escapes. */
    private boolean plain() {
        while (at < end) {
            byte b = bytes[at];
            if (b == '"') {
                return true;
            }
            if (b == '\\' || b < 0x20) {
                return false;
            }
            at++;
        }
        return false;
    }

    /** Reads strings with escapes, bytes that are not ASCII, or faults. */
    private byte[] escaped(int start) {
        at = start;
        var text = new java.io.ByteArrayOutputStream();
        var escaped = new StringBuilder();
        while (at < end) {
            byte b = bytes[at];
            if (b == '"') {
                at++;
                flush(escaped, text);
                return checked(text.toByteArray());
            }
            if (b >= 0 && b < 0x20) {
                throw wrong("a text in the JSON has an unescaped control character at byte %d", at);
            }
            at++;
            if (b == '\\') {
                escaped.append(escape());
            } else {
                flush(escaped, text);
                text.write(b);
            }
        }
        throw wrong("the JSON ends within a text");
    }

    private void flush(StringBuilder escaped, java.io.ByteArrayOutputStream text) {
        if (!escaped.isEmpty()) {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(escaped)) {
                throw wrong("a text in the JSON has half of a surrogate pair");
            }
            text.writeBytes(escaped.toString().getBytes(StandardCharsets.UTF_8));
            escaped.setLength(0);
        }
    }

    private byte[] checked(byte[] text) {
        if (!Utf8.isValid(text)) {
            throw wrong("a text in the JSON is not UTF-8");
        }
        return text;
    }

    private char escape() {
        int b = at < end ? bytes[at++] : -1;
        return switch (b) {
            case '"', '\\', '/' -> (char) b;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("a text in the JSON has an unknown escape at byte %d", at - 1);
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < end ? Character.digit(bytes[at] & 0x7f, 16) : -1;
            if (digit < 0 || bytes[at] < 0) {
                throw wrong("a text in the JSON has a broken \\u escape at byte %d", at);
            }
            value = value << 4 | digit;
            at++;
        }
        return (char) value;
    }

    /** Consumes {@code word} if it comes next. */
    boolean takeLiteral(String word) {
        peek();
        if (end - at < word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (bytes[at + i] != word.charAt(i)) {
                return false;
            }
        }
        at += word.length();
        return true;
    }

    /** Consumes one value of any kind and checks that it is valid JSON. */
    void skip() {
        skip(0);
    }

    private void skip(int depth) {
        if (depth > MAX_DEPTH) {
            throw bad("the JSON is nested deeper than %d", MAX_DEPTH);
        }
        switch (peek()) {
            case '"' -> string("a text");
            case '{' -> {
                at++;
                boolean more = !take('}');
                while (more) {
                    string("a name in quotes");
                    expect(':', "after a name");
                    skip(depth + 1);
                    more = more('}');
                }
            }
            case '[' -> {
                at++;
                boolean more = !take(']');
                while (more) {
                    skip(depth + 1);
                    more = more(']');
                }
            }
            case 't', 'f', 'n', 'N', 'I' -> literal();
            default -> {
                if (!takeLiteral("-Infinity")) {
                    at = JsonNumbers.end(bytes, at, end, this);
                }
            }
        }
    }

    private void literal() {
        if (!takeLiteral("true")
                && !takeLiteral("false")
                && !takeLiteral("null")
                && !takeLiteral("NaN")
                && !takeLiteral("Infinity")) {
            throw unexpected("a value");
        }
    }
}
