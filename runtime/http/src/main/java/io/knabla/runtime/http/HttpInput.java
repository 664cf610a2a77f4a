package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the bytes of requests or responses from a connection, buffered; the buffer grows up to the limit of a head. */
final class HttpInput {
    /** Most heads are shorter, and most connections of a crowd send none. */
    private static final int FIRST_BYTES = 2 << 10;

    private final InputStream in;
    private byte[] buffer;
    private int at;
    private int limit;

    HttpInput(InputStream in) {
        this(in, FIRST_BYTES);
    }

    /** @param bytes size of the buffer; 0 for a body that needs none */
    HttpInput(InputStream in, int bytes) {
        this.in = in;
        this.buffer = new byte[bytes];
    }

    boolean hasBuffered() {
        return at < limit;
    }

    /** Waits for a request; false if the peer closed the connection. */
    boolean awaitFirstByte() throws IOException {
        while (true) {
            if (at == limit && !fill()) {
                return false;
            }
            // Some old clients send an empty line after a body (RFC 9112, section 2.2).
            if (buffer[at] != '\r' && buffer[at] != '\n') {
                return true;
            }
            at++;
        }
    }

    /** Reads what the peer has sent, at least one byte, behind what is buffered; false if the peer has left. */
    boolean fill() throws IOException {
        if (at == limit) {
            at = 0;
            limit = 0;
        }
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            return false;
        }
        limit += read;
        return true;
    }

    /** Skips {@code expected} if it comes next; reads on only while it may. */
    boolean skip(byte[] expected) throws IOException {
        for (int i = 0; i < expected.length; i++) {
            if (at + i == limit && !fill()) {
                return false;
            }
            if (buffer[at + i] != expected[i]) {
                return false;
            }
        }
        at += expected.length;
        return true;
    }

    HttpRequest readRequest() throws IOException {
        int end = awaitHead();
        HttpRequest request = HeadParser.request(buffer, at);
        at = end;
        return request;
    }

    ResponseHead readResponse() throws IOException {
        int end = awaitHead();
        ResponseHead response = HeadParser.response(buffer, at);
        at = end;
        return response;
    }

    private int awaitHead() throws IOException {
        int scanned = at;
        while (true) {
            int end = HeadParser.end(buffer, at, scanned, limit);
            if (end >= 0) {
                return end;
            }
            scanned = limit;
            if (at > 0) {
                System.arraycopy(buffer, at, buffer, 0, limit - at);
                scanned -= at;
                limit -= at;
                at = 0;
            }
            if (limit == buffer.length) {
                grow();
            }
            if (!fill()) {
                throw new EOFException("the peer left within a head");
            }
        }
    }

    private void grow() {
        if (limit == HttpLimits.HEAD_BYTES) {
            throw new HttpFault(431, "the head is larger than " + HttpLimits.HEAD_BYTES + " bytes");
        }
        buffer = Arrays.copyOf(buffer, Math.min(2 * limit, HttpLimits.HEAD_BYTES));
    }

    /** The next byte. */
    int next() throws IOException {
        if (at == limit && !fill()) {
            throw new EOFException("the peer left within a body");
        }
        return buffer[at++] & 0xff;
    }

    /** Takes the last byte of {@link #next} back. */
    void back() {
        at--;
    }

    /** Reads at least one byte; -1 if the peer has left. */
    int read(byte[] into, int from, int length) throws IOException {
        if (at < limit) {
            int count = Math.min(length, limit - at);
            System.arraycopy(buffer, at, into, from, count);
            at += count;
            return count;
        }
        return in.read(into, from, length);
    }

    /** Reads and discards up to {@code most} bytes. */
    void discard(int most) throws IOException {
        at = 0;
        limit = 0;
        for (int dropped = 0; dropped < most; ) {
            int read = in.read(buffer);
            if (read < 0) {
                return;
            }
            dropped += read;
        }
    }
}
