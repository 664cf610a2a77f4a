package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Reads the messages of one call; each may be as large as the body of an HTTP request. */
final class MessageReader {
    /** Messages up to this size need no reservation. */
    private static final int SMALL = 64 << 10;

    /** A stream may be silent for this long. */
    private static final Duration SILENCE = Duration.ofHours(1);

    private final HttpExchange exchange;
    private final long most;
    private final byte[] prefix = new byte[WireWriter.PREFIX];
    private long held;

    MessageReader(HttpExchange exchange) {
        this.exchange = exchange;
        most = exchange.bodyLimit();
        // Each message has this limit; a stream of them has none.
        exchange.limitBody(Long.MAX_VALUE, "");
    }

    /** The only message of the call. */
    WireReader only() throws IOException {
        int got = exchange.read(prefix, 0, 1);
        if (got < 0) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call has no message");
        }
        WireReader message = message();
        if (exchange.read(prefix, 0, 1) >= 0) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call has more than its one message");
        }
        return message;
    }

    /** The next message of a stream; null at its end. */
    WireReader next() throws IOException {
        return exchange.readNext(prefix, 0, 1, SILENCE) < 0 ? null : message();
    }

    private WireReader message() throws IOException {
        fill(prefix, 1, prefix.length);
        long length = (prefix[1] & 0xffL) << 24 | (prefix[2] & 0xff) << 16 | (prefix[3] & 0xff) << 8 | prefix[4] & 0xff;
        if (length > most) {
            throw tooLarge();
        }
        byte[] bytes = body((int) length);
        return switch (prefix[0]) {
            case 0 -> new WireReader(bytes, 0, (int) length);
            case 1 -> inflated(bytes, (int) length);
            default -> throw WireReader.malformed();
        };
    }

    private GrpcException tooLarge() {
        return new GrpcException(
                GrpcStatus.RESOURCE_EXHAUSTED,
                "the message is larger than %d bytes; send fewer or smaller tensors".formatted(most));
    }

    /** Memory is taken as the bytes arrive, not as they are announced. */
    private byte[] body(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, SMALL)];
        int filled = 0;
        while (true) {
            fill(bytes, filled, bytes.length);
            filled = bytes.length;
            if (filled == length) {
                return bytes;
            }
            bytes = Arrays.copyOf(bytes, grown(filled, length));
        }
    }

    private int grown(int size, int most) {
        int larger = (int) Math.min(most, 2L * size);
        hold(larger);
        return larger;
    }

    /** Reserves memory for a message; reservations end with the call. */
    void hold(long bytes) {
        if (bytes > Math.max(SMALL, held)) {
            if (!exchange.holdResponse(bytes - held)) {
                throw new GrpcException(
                        GrpcStatus.UNAVAILABLE, "too many large messages are in memory; try again later");
            }
            held = bytes;
        }
    }

    private void fill(byte[] into, int from, int to) throws IOException {
        for (int at = from; at < to; ) {
            int count = exchange.read(into, at, to - at);
            if (count < 0) {
                throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call ended within a message");
            }
            at += count;
        }
    }

    private WireReader inflated(byte[] bytes, int length) throws IOException {
        String encoding = exchange.request().header("grpc-encoding");
        byte[] plain = new byte[Math.min(SMALL, 4 * length + 64)];
        int size = 0;
        try (InputStream in = inflating(encoding, new ByteArrayInputStream(bytes, 0, length))) {
            for (int count = in.read(plain); count >= 0; count = in.read(plain, size, plain.length - size)) {
                size += count;
                if (size > most) {
                    throw tooLarge();
                }
                if (size == plain.length) {
                    plain = Arrays.copyOf(plain, grown(size, Integer.MAX_VALUE - 8));
                }
            }
        }
        return new WireReader(plain, 0, size);
    }

    private static InputStream inflating(String encoding, InputStream in) throws IOException {
        return switch (encoding) {
            case "gzip" -> new GZIPInputStream(in);
            case "deflate" -> new InflaterInputStream(in);
            case null, default ->
                throw new GrpcException(
                        GrpcStatus.UNIMPLEMENTED,
                        "messages compressed by '%s' are not read; use gzip, deflate or identity".formatted(encoding));
        };
    }
}
