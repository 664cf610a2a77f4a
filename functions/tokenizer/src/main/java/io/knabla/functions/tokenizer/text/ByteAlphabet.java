package io.knabla.functions.tokenizer.text;

import java.util.Arrays;

/** The visible characters in which GPT-2 writes bytes: printable bytes as themselves, the others from U+0100 on. */
public final class ByteAlphabet {
    private static final char[] CHARACTERS = new char[256];
    private static final short[] BYTES = new short[512];

    static {
        Arrays.fill(BYTES, (short) -1);
        char next = 256;
        for (int b = 0; b < CHARACTERS.length; b++) {
            boolean printable = b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad;
            CHARACTERS[b] = printable ? (char) b : next++;
            BYTES[CHARACTERS[b]] = (short) b;
        }
    }

    private ByteAlphabet() {}

    /** The byte that a character stands for; -1 for a character outside of the alphabet. */
    public static int toByte(char character) {
        return character < BYTES.length ? BYTES[character] : -1;
    }

    /** Appends the UTF-8 bytes of a part of a text, each as its character. */
    static void append(String text, int from, int to, StringBuilder out) {
        for (int i = from; i < to; i++) {
            int c = text.charAt(i);
            if (c < 0x80) {
                out.append(CHARACTERS[c]);
            } else if (c < 0x800) {
                out.append(CHARACTERS[0xc0 | c >> 6]).append(last(c));
            } else if (!Character.isSurrogate((char) c)) {
                out.append(CHARACTERS[0xe0 | c >> 12]).append(last(c >> 6)).append(last(c));
            } else {
                int point = text.codePointAt(i++);
                out.append(CHARACTERS[0xf0 | point >> 18])
                        .append(last(point >> 12))
                        .append(last(point >> 6))
                        .append(last(point));
            }
        }
    }

    private static char last(int bits) {
        return CHARACTERS[0x80 | bits & 0x3f];
    }
}
