package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/** Reads the parts of HTTP/2 frames from a connection. */
final class Http2Input {
    static final int PRIORITY_BYTES = 5;

    private final HttpInput in;
    private final FloodLimit flood;
    private final byte[] dropped = new byte[256];
    private byte[] block = new byte[1024];

    Http2Input(HttpInput in, FloodLimit flood) {
        this.in = in;
        this.flood = flood;
    }

    boolean hasBuffered() {
        return in.hasBuffered();
    }

    /** Waits for more; false if the peer has left. */
    boolean fill() throws IOException {
        return in.fill();
    }

    /** The block that {@link #block(int, int, int)} has read. */
    byte[] block() {
        return block;
    }

    static Http2Error protocol(String sentence) {
        return new Http2Error(Http2Error.PROTOCOL_ERROR, sentence);
    }

    int number(int bytes) throws IOException {
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | in.next();
        }
        return value;
    }

    void read(byte[] into, int from, int length) throws IOException {
        for (int at = 0; at < length; ) {
            int count = in.read(into, from + at, length - at);
            if (count < 0) {
                throw new EOFException("the peer left within a frame");
            }
            at += count;
        }
    }

    void skip(int length) throws IOException {
        for (int left = length; left > 0; left -= dropped.length) {
            read(dropped, 0, Math.min(left, dropped.length));
        }
    }

    int padding(int length, int flags) throws IOException {
        if ((flags & Http2Frame.PADDED) == 0) {
            return 0;
        }
        int padding = length == 0 ? 0 : in.next();
        if (padding >= length) {
            throw protocol("a frame is all padding");
        }
        return padding;
    }

    /** Reads a priority, which says nothing to this server (RFC 9113, section 5.3). */
    void priority(int id) throws IOException {
        if ((number(4) & Integer.MAX_VALUE) == id) {
            throw protocol("stream %d depends on itself".formatted(id));
        }
        number(1);
    }

    /** Reads a header block with its continuations; returns its size. */
    int block(int length, int flags, int id) throws IOException {
        if ((id & 1) == 0) {
            throw protocol("a client's streams have odd numbers");
        }
        int padding = padding(length, flags);
        int size = length - padding - ((flags & Http2Frame.PADDED) != 0 ? 1 : 0);
        if ((flags & Http2Frame.WITH_PRIORITY) != 0) {
            size -= PRIORITY_BYTES;
            if (size < 0) {
                throw new Http2Error(Http2Error.FRAME_SIZE_ERROR, "a head ends within its priority");
            }
            priority(id);
        }
        read(room(size), 0, size);
        skip(padding);
        boolean last = (flags & Http2Frame.END_HEADERS) != 0;
        while (!last) {
            int more = number(3);
            boolean continues = in.next() == Http2Frame.CONTINUATION;
            last = (in.next() & Http2Frame.END_HEADERS) != 0;
            if ((number(4) & Integer.MAX_VALUE) != id || !continues) {
                throw protocol("another frame comes within a head");
            }
            flood.count(FloodLimit.CONTINUATION);
            read(room(size + more), size, more);
            size += more;
        }
        return size;
    }

    private byte[] room(int size) {
        if (size > HttpLimits.HEAD_BYTES) {
            throw new Http2Error(
                    Http2Error.ENHANCE_YOUR_CALM, "the head is larger than %d bytes".formatted(HttpLimits.HEAD_BYTES));
        }
        if (size > block.length) {
            block = Arrays.copyOf(block, Math.max(size, 2 * block.length));
        }
        return block;
    }
}
