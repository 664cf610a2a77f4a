package io.knabla.runtime.http;

import io.knabla.runtime.http.hpack.HpackEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes the frames of one connection. Frames collect in a buffer until {@link #flush}. Guarded by its monitor, which
 * {@link #send} holds to keep frames together.
 */
final class Http2Output {
    /** Size of the largest frame that every peer takes (RFC 9113, section 4.2). */
    static final int FRAME = 16 << 10;

    private static final int DIRECT = 4 << 10;
    private static final int FRAME_HEAD = 9;

    /** A smaller piece of an answer, if it is not the last, is one that the peer's windows have made small. */
    private static final int USEFUL = 256;

    /** More than this is not held back for writers that follow. */
    private static final int COLLECTED = 16 << 10;

    private final OutputStream out;
    private final HpackEncoder block = new HpackEncoder();
    private byte[] buffer = new byte[1024];
    private int size;
    private boolean tableChanged = true;
    private final AtomicInteger writers = new AtomicInteger();
    private volatile long writingSince;
    private volatile long progress;

    Http2Output(OutputStream out) {
        this.out = out;
    }

    /** Writes frames of one stream. */
    @FunctionalInterface
    interface Frames {
        void write() throws IOException;
    }

    /** Keeps the frames together. Of streams that write at once, the last one flushes: their frames take one write. */
    void send(Frames frames) throws IOException {
        writers.incrementAndGet();
        synchronized (this) {
            try {
                frames.write();
            } finally {
                if (writers.decrementAndGet() == 0 || size > COLLECTED) {
                    flush();
                }
            }
        }
    }

    /** The peer has changed the limit of the table for header compression. */
    synchronized void tableChanged() {
        tableChanged = true;
    }

    synchronized void settings(int... idsAndValues) {
        head(6 * idsAndValues.length / 2, Http2Frame.SETTINGS, 0, 0);
        for (int i = 0; i < idsAndValues.length; i += 2) {
            number(idsAndValues[i], 2);
            number(idsAndValues[i + 1], 4);
        }
    }

    synchronized void acknowledgeSettings() throws IOException {
        head(0, Http2Frame.SETTINGS, Http2Frame.ACK, 0);
        flush();
    }

    synchronized void pong(byte[] data, int length) throws IOException {
        head(length, Http2Frame.PING, Http2Frame.ACK, 0);
        bytes(data, 0, length);
        flush();
    }

    synchronized void windowUpdate(int stream, int increment) throws IOException {
        head(4, Http2Frame.WINDOW_UPDATE, 0, stream);
        number(increment, 4);
        flush();
    }

    synchronized void reset(int stream, int code) throws IOException {
        head(4, Http2Frame.RST_STREAM, 0, stream);
        number(code, 4);
        flush();
    }

    synchronized void goAway(int lastStream, int code, String sentence) throws IOException {
        byte[] text = sentence.getBytes(StandardCharsets.UTF_8);
        head(8 + text.length, Http2Frame.GOAWAY, 0, 0);
        number(lastStream, 4);
        number(code, 4);
        bytes(text, 0, text.length);
        flush();
    }

    /**
     * Writes the head of a response.
     *
     * @param type media type; null for none
     * @param length of the body; -1 if unknown
     * @param lines header lines, each ended by CR LF
     */
    synchronized void responseHead(int stream, int status, String type, long length, String lines, boolean end) {
        begin();
        block.status(status);
        if (type != null) {
            block.field("content-type", type);
        }
        if (length >= 0) {
            block.field("content-length", Long.toString(length));
        }
        fields(lines);
        headers(stream, end);
    }

    synchronized void trailers(int stream, String lines) {
        begin();
        fields(lines);
        headers(stream, true);
    }

    private void begin() {
        block.clear();
        if (tableChanged) {
            tableChanged = false;
            block.withoutTable();
        }
    }

    private void fields(String lines) {
        int at = 0;
        while (at < lines.length()) {
            int colon = lines.indexOf(':', at);
            int end = lines.indexOf("\r\n", colon);
            String name = lines.substring(at, colon).toLowerCase(Locale.ROOT);
            if (!Http2Head.isOfConnection(name)) {
                block.field(name, lines.substring(colon + 1, end).strip());
            }
            at = end + 2;
        }
    }

    private void headers(int stream, boolean end) {
        progress++;
        int first = Math.min(FRAME, block.size());
        int flags = end ? Http2Frame.END_STREAM : 0;
        frame(Http2Frame.HEADERS, flags | last(first), stream, first, 0);
        for (int from = first; from < block.size(); from += FRAME) {
            int count = Math.min(FRAME, block.size() - from);
            frame(Http2Frame.CONTINUATION, last(from + count), stream, count, from);
        }
    }

    private int last(int written) {
        return written == block.size() ? Http2Frame.END_HEADERS : 0;
    }

    private void frame(int type, int flags, int stream, int count, int from) {
        head(count, type, flags, stream);
        bytes(block.bytes(), from, count);
    }

    /** Writes body bytes in as many frames as they need. */
    synchronized void data(int stream, byte[] bytes, int from, int length, boolean end) throws IOException {
        int at = 0;
        do {
            int count = Math.min(FRAME, length - at);
            boolean last = end && at + count == length;
            progress += last || count >= USEFUL ? 1 : 0;
            head(count, Http2Frame.DATA, last ? Http2Frame.END_STREAM : 0, stream);
            if (count <= DIRECT) {
                bytes(bytes, from + at, count);
            } else {
                flush();
                write(bytes, from + at, count);
            }
            at += count;
        } while (at < length);
    }

    synchronized void flush() throws IOException {
        if (size > 0) {
            int count = size;
            size = 0;
            write(buffer, 0, count);
        }
    }

    private void write(byte[] bytes, int from, int length) throws IOException {
        writingSince = System.nanoTime() | 1;
        out.write(bytes, from, length);
        writingSince = 0;
    }

    /** Number of frames so far that bring answers on; called by any thread. */
    long progress() {
        return progress;
    }

    /** Nanoseconds for which the peer has not taken what is being written; 0 if nothing is. */
    long blockedNanos() {
        long since = writingSince;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    private void head(int length, int type, int flags, int stream) {
        room(FRAME_HEAD + 8);
        number(length, 3);
        number(type, 1);
        number(flags, 1);
        number(stream, 4);
    }

    private void number(int value, int count) {
        room(count);
        for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
            buffer[size++] = (byte) (value >> shift);
        }
    }

    private void bytes(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, buffer, size, count);
        size += count;
    }

    private void room(int more) {
        if (buffer.length - size < more) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + more));
        }
    }
}
