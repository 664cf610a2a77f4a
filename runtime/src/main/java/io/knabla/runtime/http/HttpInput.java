package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads requests from a connection: heads from a fixed buffer, bodies into memory as they arrive. */
final class HttpInput {
    /** Bodies up to this size share one array of the connection and need no reservation. */
    private static final int SMALL_BODY = 64 << 10;

    /** First allocation for a large body; more memory is allocated only as bytes arrive. */
    private static final int FIRST_STEP = 1 << 20;

    private static final int MAX_CHUNK_LINE = 256;

    private final HttpServer server;
    private final InputStream in;
    private final byte[] buffer = new byte[HttpLimits.HEAD_BYTES];
    private int at;
    private int limit;
    private byte[] small = {};
    private byte[] body;
    private long held;

    HttpInput(HttpServer server, InputStream in) {
        this.server = server;
        this.in = in;
    }

    static HttpFault tooLarge(int max) {
        return new HttpFault(
                413,
                "the body is larger than %d bytes; send less, or give the function more memory in spec.resources (to a replica of your own: KNABLA_MAX_BODY_BYTES)"
                        .formatted(max));
    }

    boolean hasBuffered() {
        return at < limit;
    }

    /** Waits for a request; false if the peer closed the connection. */
    boolean awaitFirstByte() throws IOException {
        while (true) {
            if (at == limit) {
                at = 0;
                limit = 0;
                if (!fill()) {
                    return false;
                }
            }
            // Some old clients send an empty line after a body (RFC 9112, section 2.2).
            if (buffer[at] != '\r' && buffer[at] != '\n') {
                return true;
            }
            at++;
        }
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            return false;
        }
        limit += read;
        return true;
    }

    HeadParser.Head readHead() throws IOException {
        int scanned = at;
        while (true) {
            int end = HeadParser.end(buffer, at, scanned, limit);
            if (end >= 0) {
                var head = HeadParser.parse(buffer, at);
                at = end;
                return head;
            }
            scanned = limit;
            if (at > 0) {
                System.arraycopy(buffer, at, buffer, 0, limit - at);
                scanned -= at;
                limit -= at;
                at = 0;
            }
            if (limit == buffer.length) {
                throw new HttpFault(431, "the head of the request is larger than " + buffer.length + " bytes");
            }
            if (!fill()) {
                throw new EOFException("the peer left within a head");
            }
        }
    }

    void readSized(HttpRequest request, int length) throws IOException {
        reserve(Math.min(length, FIRST_STEP));
        int filled = 0;
        while (filled < length) {
            if (filled == body.length) {
                reserve((int) Math.min(length, body.length * 2L));
            }
            filled += read(body, filled, Math.min(length, body.length) - filled);
        }
        request.body = body;
        request.bodyLength = length;
    }

    void readChunked(HttpRequest request) throws IOException {
        int max = server.limits().bodyBytes();
        int filled = 0;
        reserve(SMALL_BODY);
        while (true) {
            long size = chunkSize();
            if (size == 0) {
                break;
            }
            if (size > max - filled) {
                throw tooLarge(max);
            }
            int end = filled + (int) size;
            while (filled < end) {
                if (filled == body.length) {
                    reserve((int) Math.min(max, body.length * 2L));
                }
                filled += read(body, filled, Math.min(end, body.length) - filled);
            }
            lineEnd();
        }
        trailers();
        request.body = body;
        request.bodyLength = filled;
    }

    private long chunkSize() throws IOException {
        long size = 0;
        int digits = 0;
        int b;
        while ((b = Character.digit(next(), 16)) >= 0) {
            size = size << 4 | b;
            if (++digits > 8) {
                throw badChunk();
            }
        }
        at--;
        if (digits == 0) {
            throw badChunk();
        }
        // Chunk extensions are ignored, but bounded in length.
        for (int i = 0; ; i++) {
            b = next();
            if (b == '\r') {
                at--;
                lineEnd();
                return size;
            }
            if (i > MAX_CHUNK_LINE || b == '\n' || (i == 0 && b != ';' && b != ' ' && b != '\t')) {
                throw badChunk();
            }
        }
    }

    private void trailers() throws IOException {
        int total = 0;
        int line = 0;
        while (true) {
            int b = next();
            if (b == '\r') {
                at--;
                lineEnd();
                if (line == 0) {
                    return;
                }
                line = 0;
            } else if (b == '\n' || ++total > HttpLimits.HEAD_BYTES) {
                throw badChunk();
            } else {
                line++;
            }
        }
    }

    private void lineEnd() throws IOException {
        if (next() != '\r' || next() != '\n') {
            throw badChunk();
        }
    }

    private static HttpFault badChunk() {
        return new HttpFault(400, "malformed chunk in the body");
    }

    private int next() throws IOException {
        if (at == limit) {
            at = 0;
            limit = 0;
            if (!fill()) {
                throw new EOFException("the peer left within a body");
            }
        }
        return buffer[at++] & 0xff;
    }

    private int read(byte[] into, int from, int length) throws IOException {
        if (at < limit) {
            int count = Math.min(length, limit - at);
            System.arraycopy(buffer, at, into, from, count);
            at += count;
            return count;
        }
        int count = in.read(into, from, length);
        if (count < 0) {
            throw new EOFException("the peer left within a body");
        }
        return count;
    }

    /** Makes {@link #body} at least {@code size} long, keeping what it holds. */
    private void reserve(int size) {
        if (size <= SMALL_BODY) {
            if (small.length < size) {
                small = new byte[size <= 4096 ? 4096 : SMALL_BODY];
            }
            body = small;
            return;
        }
        if (!server.reserve(size - held)) {
            throw new HttpFault(503, "too many large bodies are in memory; try again later");
        }
        held = size;
        body = body == null ? new byte[size] : Arrays.copyOf(body, size);
    }

    void releaseBody() {
        server.release(held);
        held = 0;
        body = null;
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
