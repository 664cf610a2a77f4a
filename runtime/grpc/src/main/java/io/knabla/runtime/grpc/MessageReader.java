package io.knabla.runtime.grpc;

import io.knabla.runtime.http.ContentCoding;
import io.knabla.runtime.http.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

/**
 * Reads the messages of one call, one after the other. A message in memory is limited by the memory for bodies; its
 * tensors need not be, see {@link StreamedRequest}.
 */
final class MessageReader {
    /** Memory up to this size needs no reservation. */
    private static final int SMALL = 4 << 10;

    /** Once a small part has come, so much of the rest is believed. */
    private static final int STEP = 256 << 10;

    /** A stream may be silent for this long. */
    private static final Duration SILENCE = Duration.ofHours(1);

    private final HttpExchange exchange;
    private final byte[] prefix = new byte[WireWriter.PREFIX];

    /** Bytes of a message that is read whole. */
    private final int most;

    private long left;
    private long used;
    private long held;

    MessageReader(HttpExchange exchange) {
        this.exchange = exchange;
        // Its tensors are copied once.
        most = (int) Math.min(Math.min(exchange.bodyLimit(), exchange.mostHeld() / 2), Integer.MAX_VALUE - 8);
        // Who answers the call limits its tensors, as those of any request.
        exchange.limitBody(Long.MAX_VALUE, "");
    }

    /** Begins the only message of the call. */
    void begin() throws IOException {
        if (exchange.read(prefix, 0, 1) < 0) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call has no message");
        }
        readPrefix();
    }

    /** Begins the next message of a stream; false at its end. */
    boolean next() throws IOException {
        if (exchange.readNext(prefix, 0, 1, SILENCE) < 0) {
            return false;
        }
        readPrefix();
        return true;
    }

    /** The only message of the call. */
    WireReader only() throws IOException {
        begin();
        WireReader message = rest();
        expectEnd();
        return message;
    }

    /** Checks that the message was the only one. */
    void expectEnd() throws IOException {
        if (exchange.read(prefix, 0, 1) >= 0) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call has more than its one message");
        }
    }

    private void readPrefix() throws IOException {
        used = 0;
        left = prefix.length - 1;
        fill(prefix, 1, prefix.length);
        if (prefix[0] != 0 && prefix[0] != 1) {
            throw WireReader.malformed();
        }
        left = (prefix[1] & 0xffL) << 24 | (prefix[2] & 0xff) << 16 | (prefix[3] & 0xff) << 8 | prefix[4] & 0xff;
    }

    boolean isCompressed() {
        return prefix[0] == 1;
    }

    /** Bytes of the message that are not read yet. */
    long left() {
        return left;
    }

    /** The rest of the message, in memory. */
    WireReader rest() throws IOException {
        if (left > most) {
            throw tooLarge();
        }
        int length = (int) left;
        byte[] bytes = append(new byte[0], 0, length);
        return isCompressed() ? inflated(bytes, length) : new WireReader(bytes, 0, length);
    }

    /**
     * Reads {@code length} bytes of the message behind the first {@code size} of an array, in a larger one if need be.
     * Memory is taken as they arrive, not as they are announced.
     */
    byte[] append(byte[] to, int size, int length) throws IOException {
        int end = sum(size, length);
        byte[] bytes = to;
        int filled = size;
        while (filled < end) {
            if (filled == bytes.length) {
                int step = filled < SMALL ? SMALL : Math.max(STEP, filled);
                bytes = grown(bytes, (int) Math.min(end, (long) filled + step));
            }
            int next = Math.min(bytes.length, end);
            fill(bytes, filled, next);
            filled = next;
        }
        return bytes;
    }

    private int sum(int size, int length) {
        if (length > most - size) {
            throw tooLarge();
        }
        return size + length;
    }

    private byte[] grown(byte[] bytes, int size) {
        hold(size - bytes.length);
        return Arrays.copyOf(bytes, size);
    }

    /** Reserves further memory for a message; a stream uses it again for the next one. */
    void hold(long bytes) {
        used += bytes;
        if (used <= Math.max(SMALL, held)) {
            return;
        }
        if (used > exchange.mostHeld()) {
            throw tooLarge();
        }
        if (!exchange.holdResponse(used - held)) {
            throw new GrpcException(GrpcStatus.UNAVAILABLE, "too many large messages are in memory; try again later");
        }
        held = used;
    }

    private GrpcException tooLarge() {
        return new GrpcException(
                GrpcStatus.RESOURCE_EXHAUSTED,
                "a message that is read whole may not be larger than %d bytes; send its tensors in raw_input_contents, uncompressed: those with elements of a fixed size are passed on as they arrive"
                        .formatted(most));
    }

    private void fill(byte[] into, int from, int to) throws IOException {
        for (int at = from; at < to; ) {
            int count = read(into, at, to - at);
            if (count < 0) {
                throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "the call ended within a message");
            }
            at += count;
        }
    }

    /** Reads at least one byte of the message; -1 if the call ended before it. */
    int read(byte[] into, int from, int length) throws IOException {
        int count = exchange.read(into, from, (int) Math.min(length, left));
        left -= Math.max(0, count);
        return count;
    }

    /** Reads and drops the rest of the message. */
    void skip() throws IOException {
        byte[] dropped = new byte[(int) Math.min(left, SMALL)];
        while (left > 0) {
            fill(dropped, 0, (int) Math.min(left, dropped.length));
        }
    }

    private WireReader inflated(byte[] bytes, int length) throws IOException {
        String encoding = exchange.request().header("grpc-encoding");
        byte[] plain = new byte[Math.min(SMALL, 4 * Math.min(SMALL, length) + 64)];
        int size = 0;
        try (InputStream in = inflating(encoding, new ByteArrayInputStream(bytes, 0, length))) {
            for (int count = in.read(plain); count >= 0; count = in.read(plain, size, plain.length - size)) {
                size += count;
                if (size == plain.length) {
                    plain = grown(plain, sum(size, Math.min(Math.max(SMALL, size), Math.max(1, most - size))));
                }
            }
        }
        return new WireReader(plain, 0, size);
    }

    private static InputStream inflating(String encoding, InputStream in) {
        return switch (encoding) {
            case "gzip" -> ContentCoding.GZIP.inflating(in);
            case "deflate" -> ContentCoding.DEFLATE.inflating(in);
            case null, default ->
                throw new GrpcException(
                        GrpcStatus.UNIMPLEMENTED,
                        "messages compressed by '%s' are not read; use gzip, deflate or identity".formatted(encoding));
        };
    }
}
