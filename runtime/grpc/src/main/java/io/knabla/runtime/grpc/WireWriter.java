package io.knabla.runtime.grpc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes one protobuf message behind the five bytes that precede it in gRPC's framing. */
final class WireWriter {
    static final int PREFIX = 5;
    static final int LONGEST_VARINT = 10;

    private byte[] bytes;
    private int size = PREFIX;

    WireWriter(int capacity) {
        bytes = new byte[capacity + PREFIX];
    }

    /** The message behind its prefix, which says that it is not compressed, and how long it is. */
    byte[] framed() {
        int length = size - PREFIX;
        for (int i = 0; i < 4; i++) {
            bytes[1 + i] = (byte) (length >> 24 - 8 * i);
        }
        return bytes;
    }

    /** Length with the prefix. */
    int framedLength() {
        return size;
    }

    WireWriter text(int field, String text) {
        if (!text.isEmpty()) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            bytes(field, utf8, 0, utf8.length);
        }
        return this;
    }

    /** Also writes an empty value: elements of a repeated field have no default. */
    WireWriter bytes(int field, byte[] from, int at, int length) {
        varint((long) field << 3 | WireReader.BYTES);
        varint(length);
        room(length);
        System.arraycopy(from, at, bytes, size, length);
        size += length;
        return this;
    }

    /** Adds the fields of another message to those of this one. */
    WireWriter append(WireWriter other) {
        room(other.size - PREFIX);
        System.arraycopy(other.bytes, PREFIX, bytes, size, other.size - PREFIX);
        size += other.size - PREFIX;
        return this;
    }

    WireWriter message(int field, WireWriter inner) {
        return bytes(field, inner.bytes, PREFIX, inner.size - PREFIX);
    }

    WireWriter number(int field, long value) {
        if (value != 0) {
            varint((long) field << 3 | WireReader.VARINT);
            varint(value);
        }
        return this;
    }

    WireWriter flag(int field, boolean value) {
        return number(field, value ? 1 : 0);
    }

    WireWriter real(int field, double value) {
        varint((long) field << 3 | WireReader.FIXED64);
        room(8);
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < 8; i++) {
            bytes[size++] = (byte) (bits >> 8 * i);
        }
        return this;
    }

    /** Integers in a packed field. */
    WireWriter packed(int field, Iterable<?> values) {
        var inner = new WireWriter(32);
        for (Object value : values) {
            inner.varint(((Number) value).longValue());
        }
        return message(field, inner);
    }

    /** Bytes that a number takes. */
    static int varintSize(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
    }

    private void varint(long value) {
        room(LONGEST_VARINT);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes[size++] = (byte) (left & 0x7f | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }
}
