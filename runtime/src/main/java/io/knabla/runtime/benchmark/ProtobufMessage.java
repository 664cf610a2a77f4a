package io.knabla.runtime.benchmark;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes one protobuf message by field numbers. */
final class ProtobufMessage {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtobufMessage number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    ProtobufMessage text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    ProtobufMessage bytes(int field, ProtobufMessage message) {
        return bytes(field, message.done());
    }

    private ProtobufMessage bytes(int field, byte[] bytes) {
        varint((long) field << 3 | 2);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7f) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    byte[] done() {
        return out.toByteArray();
    }
}
