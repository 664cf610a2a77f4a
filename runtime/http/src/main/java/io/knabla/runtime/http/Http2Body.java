package io.knabla.runtime.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/** The body of one HTTP/2 request: what the connection has received and the handler has not read. Thread-safe. */
final class Http2Body extends InputStream {
    /** Shorter pieces are copied together: arrays of their own would take many times their bytes. */
    static final int MERGED = 1 << 10;

    /** Bytes that an array takes besides its content. */
    private static final int OVERHEAD = 64;

    private final UnreadBodies memory;
    private final IntConsumer consumed;
    private final Deque<Piece> pieces = new ArrayDeque<>(2);
    private int held;
    private boolean ended;
    private String broken;
    private HttpFault refused;

    /** @param consumed told how many bytes were read, which the peer may send again */
    Http2Body(UnreadBodies memory, IntConsumer consumed) {
        this.memory = memory;
        this.consumed = consumed;
    }

    private static final class Piece {
        private final byte[] bytes;
        private int at;
        private int end;

        Piece(byte[] bytes) {
            this.bytes = bytes;
        }

        int cost() {
            return bytes.length + OVERHEAD;
        }
    }

    /**
     * Adds the first {@code length} bytes. Called by the connection's thread.
     *
     * @param bytes belong to this body if they are {@link #MERGED} or more
     * @param last whether they end it: told at once, so that its reader wakes once
     */
    void add(byte[] bytes, int length, boolean last) {
        if (length < MERGED && merge(bytes, length, last)) {
            return;
        }
        int size = last ? length : MERGED;
        var piece = new Piece(length < MERGED ? new byte[size] : bytes);
        boolean room = open() && memory.add(piece.cost());
        if (!room) {
            refuse(last);
            consumed.accept(length);
            return;
        }
        if (length < MERGED) {
            System.arraycopy(bytes, 0, piece.bytes, 0, length);
        }
        piece.end = length;
        append(piece, last);
    }

    private synchronized boolean merge(byte[] bytes, int length, boolean end) {
        Piece last = pieces.peekLast();
        if (last == null || last.bytes.length - last.end < length) {
            return false;
        }
        System.arraycopy(bytes, 0, last.bytes, last.end, length);
        last.end += length;
        held += length;
        ended = end;
        notifyAll();
        return true;
    }

    private synchronized void append(Piece piece, boolean last) {
        ended = last;
        if (broken != null) {
            memory.remove(piece.cost());
            consumed.accept(piece.end);
            return;
        }
        if (held == 0) {
            clear();
        }
        pieces.add(piece);
        held += piece.end;
        notifyAll();
    }

    /** Its reader is told that there is no memory for it. */
    private synchronized void refuse(boolean last) {
        ended |= last;
        if (broken == null) {
            refused = BodyBuffer.noMemory();
            fail("there is no memory for the body");
        }
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** No more bytes are read, and none are kept. */
    synchronized void fail(String why) {
        if (broken != null) {
            return;
        }
        broken = why;
        clear();
        consumed.accept(held);
        held = 0;
        notifyAll();
    }

    private void clear() {
        pieces.forEach(piece -> memory.remove(piece.cost()));
        pieces.clear();
    }

    synchronized boolean ended() {
        return ended;
    }

    /** Whether it has ended, and nothing of it is left to read. */
    synchronized boolean empty() {
        return ended && held == 0;
    }

    /** Whether more may come that is read. */
    synchronized boolean open() {
        return !ended && broken == null;
    }

    @Override
    public int read() {
        throw new UnsupportedOperationException("bodies are read in pieces");
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = take(into, from, length);
        if (count > 0) {
            consumed.accept(count);
        }
        return count;
    }

    private synchronized int take(byte[] into, int from, int length) throws IOException {
        while (held == 0 && !ended && broken == null) {
            await();
        }
        if (refused != null) {
            throw refused;
        }
        if (broken != null) {
            throw new IOException(broken);
        }
        if (held == 0) {
            return -1;
        }
        Piece piece = pieces.peek();
        int count = Math.min(length, piece.end - piece.at);
        System.arraycopy(piece.bytes, piece.at, into, from, count);
        piece.at += count;
        held -= count;
        if (piece.at == piece.end) {
            finish(piece);
        }
        return count;
    }

    /** The last array of short pieces takes further ones. */
    private void finish(Piece piece) {
        if (held == 0 && piece.bytes.length == MERGED && !ended) {
            piece.at = 0;
            piece.end = 0;
        } else {
            pieces.remove();
            memory.remove(piece.cost());
        }
    }

    private void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException stopping) {
            throw new IOException("interrupted while a body was read", stopping);
        }
    }
}
