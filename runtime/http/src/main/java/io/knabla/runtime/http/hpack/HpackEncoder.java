package io.knabla.runtime.http.hpack;

import java.util.Arrays;

/**
 * Encodes header blocks without a dynamic table and without Huffman code (RFC 7541): a response's few fields are
 * shorter than the work to compress them is worth.
 */
public final class HpackEncoder {
    private static final int STATUS_200 = 0x88;
    private static final int STATUS_NAME = 8;
    private static final int LITERAL = 0;

    private byte[] bytes = new byte[256];
    private int size;

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /** Tells the decoder that no table is used, which it must be told after each change of its limit. */
    public void withoutTable() {
        put(0x20);
    }

    public void status(int status) {
        if (status == 200) {
            put(STATUS_200);
        } else {
            put(STATUS_NAME);
            string(Integer.toString(status));
        }
    }

    /**
     * @param name in lower case
     * @param value of Latin-1 characters
     */
    public void field(String name, String value) {
        put(LITERAL);
        string(name);
        string(value);
    }

    private void string(String text) {
        number(text.length());
        room(text.length());
        latin1(text);
    }

    @SuppressWarnings("deprecation")
    private void latin1(String text) {
        // The deprecated call copies the low byte of each character, which is all that Latin-1 has.
        text.getBytes(0, text.length(), bytes, size);
        size += text.length();
    }

    /** Writes a length with a prefix of 7 bits. */
    private void number(int value) {
        if (value < 0x7f) {
            put(value);
            return;
        }
        put(0x7f);
        int left = value - 0x7f;
        for (; left >= 0x80; left >>= 7) {
            put(left & 0x7f | 0x80);
        }
        put(left);
    }

    private void put(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
