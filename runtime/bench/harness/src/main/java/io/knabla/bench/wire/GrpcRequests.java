package io.knabla.bench.wire;

import io.knabla.bench.model.BenchModel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds {@code ModelInfer} requests with one row as raw frames of HTTP/2. */
final class GrpcRequests {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int FRAME_HEAD = 9;
    private static final byte[] PREFACE = ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final byte[] WIDEST_WINDOWS = {0, 4, 0x7f, -1, -1, -1};

    private GrpcRequests() {}

    /** What a client sends first: it takes as much as a server can send. */
    static byte[] opening() {
        var out = new ByteArrayOutputStream();
        out.writeBytes(PREFACE);
        frame(out, SETTINGS, 0, 0, WIDEST_WINDOWS);
        byte[] more = ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE - 65_535).array();
        frame(out, WINDOW_UPDATE, 0, 0, more);
        return out.toByteArray();
    }

    /** Head and message of a request on stream 1. */
    static byte[] infer(String authority, String name, BenchModel model) {
        var block = new ByteArrayOutputStream();
        // :method POST and :scheme http of the static table; the rest as literals.
        block.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86});
        field(block, ":path", "/inference.GRPCInferenceService/ModelInfer");
        field(block, ":authority", authority);
        field(block, "te", "trailers");
        field(block, "content-type", "application/grpc");
        field(block, "user-agent", "grpc-bench/1");
        byte[] message = message(name, model);
        var body = ByteBuffer.allocate(5 + message.length).put((byte) 0).putInt(message.length);
        var out = new ByteArrayOutputStream();
        frame(out, HEADERS, END_HEADERS, 1, block.toByteArray());
        frame(out, DATA, END_STREAM, 1, body.put(message).array());
        return out.toByteArray();
    }

    /** Moves such a request to the client's next stream. */
    static void nextStream(ByteBuffer request) {
        int head = request.getInt(0) >>> 8;
        int data = FRAME_HEAD + head + 5;
        int next = request.getInt(5) + 2;
        request.putInt(5, next).putInt(data, next);
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.writeBytes(ByteBuffer.allocate(FRAME_HEAD)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .array());
        out.writeBytes(payload);
    }

    private static void field(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        out.write(name.length());
        out.writeBytes(ascii(name));
        out.write(value.length());
        out.writeBytes(ascii(value));
    }

    private static byte[] message(String name, BenchModel model) {
        var input = new ByteArrayOutputStream();
        bytes(input, 1, ascii(model.inputName()));
        bytes(input, 2, ascii("FP32"));
        var shape = new ByteArrayOutputStream();
        varint(shape, 1);
        varint(shape, model.input().length);
        bytes(input, 3, shape.toByteArray());
        var raw = ByteBuffer.allocate(model.input().length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(model.input());
        var out = new ByteArrayOutputStream();
        bytes(out, 1, ascii(name));
        bytes(out, 5, input.toByteArray());
        bytes(out, 7, raw.array());
        return out.toByteArray();
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        varint(out, field << 3 | 2);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void varint(ByteArrayOutputStream out, int value) {
        int left = value;
        for (; left >= 0x80; left >>= 7) {
            out.write(left & 0x7f | 0x80);
        }
        out.write(left);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
