package io.knabla.runtime.inference;

import io.knabla.runtime.http.BodyRest;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.protocol.BinaryBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Binary tensors of a large request, read from its connection straight into the memory that the engine reads. */
final class StreamedTensors implements BinaryBody {
    /** Smaller ones are read with the JSON before them: one read for both. */
    private static final int LEAST_BYTES = 1 << 20;

    private static final int PIECE = 64 << 10;

    /** Of a tensor an eighth, up to this, must have come before memory for all of it is taken. */
    private static final int BELIEVED = 1 << 20;

    private static final byte[] NONE = {};

    private final BodyRest rest;

    /** Bytes of the next tensor that have come. */
    private byte[] ahead = NONE;

    StreamedTensors(BodyRest rest) {
        this.rest = rest;
    }

    /** Reads the body of a call of {@code infer}, but not the tensors that are better streamed. */
    static void readBody(HttpExchange exchange) throws IOException {
        int json = jsonLength(exchange);
        if (json < 0) {
            exchange.readInflatedBody();
        } else {
            exchange.readBodyUntil(json);
        }
    }

    /** Length of the JSON before tensors to be streamed; -1 if there are none. */
    private static int jsonLength(HttpExchange exchange) {
        HttpRequest request = exchange.request();
        if (exchange.declaredLength() < LEAST_BYTES || request.header("Content-Encoding") != null) {
            return -1;
        }
        String length = request.header("Inference-Header-Content-Length");
        boolean plain = length != null && !length.isEmpty() && length.length() <= 8;
        for (int i = 0; plain && i < length.length(); i++) {
            plain = length.charAt(i) >= '0' && length.charAt(i) <= '9';
        }
        int json = plain ? Integer.parseInt(length) : -1;
        return exchange.declaredLength() - json >= LEAST_BYTES ? json : -1;
    }

    @Override
    public long left() {
        return ahead.length + rest.left();
    }

    @Override
    public void await(int size) {
        ahead = new byte[Math.min(BELIEVED, size >> 3)];
        fill(ahead);
    }

    @Override
    public void read(ByteBuffer into) {
        into.put(0, ahead);
        byte[] piece = new byte[Math.min(PIECE, into.limit())];
        for (int at = ahead.length; at < into.limit(); ) {
            int count = read(piece, 0, Math.min(piece.length, into.limit() - at));
            into.put(at, piece, 0, count);
            at += count;
        }
        ahead = NONE;
    }

    private void fill(byte[] bytes) {
        for (int at = 0; at < bytes.length; ) {
            at += read(bytes, at, bytes.length - at);
        }
    }

    private int read(byte[] into, int from, int length) {
        try {
            return rest.read(into, from, length);
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    @Override
    public ByteBuffer take(int size) {
        await(size);
        ByteBuffer bytes = ByteBuffer.allocate(size);
        read(bytes);
        return bytes;
    }
}
