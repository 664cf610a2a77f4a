package io.knabla.runtime.grpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of one protobuf message in place. The caller calls {@link #next} and then exactly one reading method
 * for each field.
 */
final class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    private int at;
    private final int end;
    private int tag;

    WireReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Moves to the next field and returns its number; 0 at the end. */
    int next() {
        if (at == end) {
            return 0;
        }
        long read = varint();
        if (read <= 7 || read > Integer.MAX_VALUE) {
            throw malformed();
        }
        tag = (int) read;
        return tag >>> 3;
    }

    int wireType() {
        return tag & 7;
    }

    int at() {
        return at;
    }

    boolean ended() {
        return at == end;
    }

    static GrpcException malformed() {
        return new GrpcException(GrpcStatus.INVALID_ARGUMENT, "malformed message: it is not the expected protobuf");
    }

    /** A number without tag, as in packed fields. */
    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == end) {
                throw malformed();
            }
            byte b = bytes[at++];
            value |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    /** Little-endian bits of {@code size} bytes, without tag. */
    long fixed(int size) {
        if (end - at < size) {
            throw malformed();
        }
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes[at++] & 0xffL) << 8 * i;
        }
        return value;
    }

    long number() {
        expect(VARINT);
        return varint();
    }

    double real() {
        expect(FIXED64);
        return Double.longBitsToDouble(fixed(8));
    }

    String text() {
        WireReader inner = message();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, inner.at, inner.size()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "a string of the message is not UTF-8");
        }
    }

    /** The bytes of this field, as a reader of their own. */
    WireReader message() {
        expect(BYTES);
        long size = varint();
        if (size < 0 || size > end - at) {
            throw malformed();
        }
        at += (int) size;
        return new WireReader(bytes, at - (int) size, at);
    }

    /** Number of bytes that are left. */
    int size() {
        return end - at;
    }

    void copyTo(byte[] into, int from) {
        System.arraycopy(bytes, at, into, from, size());
    }

    private void expect(int type) {
        if (wireType() != type) {
            throw malformed();
        }
    }

    void skip() {
        switch (wireType()) {
            case VARINT -> varint();
            case FIXED64 -> fixed(8);
            case BYTES -> message();
            case FIXED32 -> fixed(4);
            default -> throw malformed();
        }
    }
}
