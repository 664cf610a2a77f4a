package io.knabla.functions.tokenizer.decode;

/**
 * Decodes UTF-8 byte by byte. Of a broken character the longest part that could begin one becomes a single U+FFFD, as
 * WHATWG's Encoding Standard says; the JDK's decoder makes fewer of some.
 */
final class LossyUtf8 {
    private static final int REPLACEMENT = 0xfffd;

    private final StringBuilder out = new StringBuilder();
    private int character;
    private int missing;
    /** Bounds of the next byte within a character. */
    private int lowest;

    private int highest;

    void accept(int b) {
        if (missing == 0) {
            first(b);
        } else if (b >= lowest && b <= highest) {
            character = character << 6 | b & 0x3f;
            bounds(0x80, 0xbf);
            if (--missing == 0) {
                out.appendCodePoint(character);
            }
        } else {
            out.appendCodePoint(REPLACEMENT);
            missing = 0;
            first(b);
        }
    }

    private void first(int b) {
        bounds(0x80, 0xbf);
        if (b < 0x80) {
            out.append((char) b);
        } else if (b >= 0xc2 && b <= 0xdf) {
            begin(b & 0x1f, 1);
        } else if (b >= 0xe0 && b <= 0xef) {
            // Neither overlong forms nor surrogates.
            bounds(b == 0xe0 ? 0xa0 : 0x80, b == 0xed ? 0x9f : 0xbf);
            begin(b & 0xf, 2);
        } else if (b >= 0xf0 && b <= 0xf4) {
            bounds(b == 0xf0 ? 0x90 : 0x80, b == 0xf4 ? 0x8f : 0xbf);
            begin(b & 7, 3);
        } else {
            out.appendCodePoint(REPLACEMENT);
        }
    }

    private void begin(int bits, int following) {
        character = bits;
        missing = following;
    }

    private void bounds(int low, int high) {
        lowest = low;
        highest = high;
    }

    /** Ends the text: an incomplete character becomes U+FFFD. */
    void end() {
        if (missing > 0) {
            out.appendCodePoint(REPLACEMENT);
            missing = 0;
        }
    }

    /** What was decoded since the last call. */
    String take() {
        String taken = out.toString();
        out.setLength(0);
        return taken;
    }
}
