package io.knabla.functions.tokenizer.model;

/** Writes parts of texts as UTF-8 without copying them first. */
final class Utf8 {
    private Utf8() {}

    /** Writes a part without lone surrogates and returns the number of bytes, at most three for each char. */
    static int write(String text, int from, int to, byte[] out) {
        int size = 0;
        for (int i = from; i < to; i++) {
            int c = text.charAt(i);
            if (c < 0x80) {
                out[size++] = (byte) c;
            } else if (c < 0x800) {
                out[size++] = (byte) (0xc0 | c >> 6);
                out[size++] = last(c);
            } else if (!Character.isSurrogate((char) c)) {
                out[size++] = (byte) (0xe0 | c >> 12);
                out[size++] = last(c >> 6);
                out[size++] = last(c);
            } else {
                int point = text.codePointAt(i++);
                out[size++] = (byte) (0xf0 | point >> 18);
                out[size++] = last(point >> 12);
                out[size++] = last(point >> 6);
                out[size++] = last(point);
            }
        }
        return size;
    }

    private static byte last(int bits) {
        return (byte) (0x80 | bits & 0x3f);
    }
}
