package io.knabla.runtime.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes JSON into a growing byte array. */
public final class JsonWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_NUMBER = 26;

    private byte[] bytes;
    private int size;

    public JsonWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    private void ensureCapacity(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }

    @SuppressWarnings("deprecation")
    public JsonWriter raw(String ascii) {
        int length = ascii.length();
        ensureCapacity(length);
        // The deprecated call copies the low byte of each character, which is all that ASCII has.
        ascii.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    JsonWriter raw(byte[] more) {
        ensureCapacity(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
        return this;
    }

    JsonWriter raw(char one) {
        ensureCapacity(1);
        bytes[size++] = (byte) one;
        return this;
    }

    void raw(ByteBuffer data) {
        int length = data.remaining();
        ensureCapacity(length);
        data.get(data.position(), bytes, size, length);
        size += length;
    }

    void littleEndian(int value) {
        ensureCapacity(4);
        for (int shift = 0; shift < 32; shift += 8) {
            bytes[size++] = (byte) (value >> shift);
        }
    }

    public JsonWriter text(String text) {
        return text(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a text that is in UTF-8. */
    JsonWriter text(byte[] utf8) {
        ensureCapacity(utf8.length * 6 + 2);
        bytes[size++] = '"';
        for (byte b : utf8) {
            if (b == '"' || b == '\\') {
                bytes[size++] = '\\';
                bytes[size++] = b;
            } else if (b >= 0 && b < 0x20) {
                escape(b);
            } else {
                bytes[size++] = b;
            }
        }
        bytes[size++] = '"';
        return this;
    }

    private void escape(byte b) {
        bytes[size++] = '\\';
        bytes[size++] = 'u';
        bytes[size++] = '0';
        bytes[size++] = '0';
        bytes[size++] = HEX[b >> 4];
        bytes[size++] = HEX[b & 15];
    }

    public JsonWriter number(long value) {
        ensureCapacity(LONGEST_NUMBER);
        if (value == Long.MIN_VALUE) {
            return raw(Long.toString(value));
        }
        long left = value;
        if (left < 0) {
            bytes[size++] = '-';
            left = -left;
        }
        int digits = digits(left);
        for (int i = size + digits - 1; i >= size; i--) {
            bytes[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        size += digits;
        return this;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long left = value; left >= 10; left /= 10) {
            digits++;
        }
        return digits;
    }

    public JsonWriter shape(long[] shape) {
        raw('[');
        for (int d = 0; d < shape.length; d++) {
            if (d > 0) {
                raw(',');
            }
            number(shape[d]);
        }
        return raw(']');
    }
}
