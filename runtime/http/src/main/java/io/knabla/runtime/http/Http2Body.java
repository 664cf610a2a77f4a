package io.knabla.runtime.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/** The body of one HTTP/2 request: what the connection has received and the handler has not read. Thread-safe. */
final class Http2Body extends InputStream {
    private final IntConsumer consumed;
    private final Deque<byte[]> pieces = new ArrayDeque<>(2);
    private int at;
    private int held;
    private boolean ended;
    private IOException broken;

    /** @param consumed told how many bytes were read, which the peer may send again */
    Http2Body(IntConsumer consumed) {
        this.consumed = consumed;
    }

    synchronized void add(byte[] piece) {
        if (broken == null) {
            pieces.add(piece);
            held += piece.length;
            notifyAll();
        } else {
            consumed.accept(piece.length);
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
        broken = new IOException(why);
        pieces.clear();
        consumed.accept(held);
        held = 0;
        notifyAll();
    }

    synchronized boolean ended() {
        return ended;
    }

    /** Whether it has ended, and nothing of it is left to read. */
    synchronized boolean empty() {
        return ended && pieces.isEmpty();
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
        while (pieces.isEmpty() && !ended && broken == null) {
            await();
        }
        if (broken != null) {
            throw broken;
        }
        if (pieces.isEmpty()) {
            return -1;
        }
        byte[] piece = pieces.peek();
        int count = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, into, from, count);
        at += count;
        held -= count;
        if (at == piece.length) {
            pieces.remove();
            at = 0;
        }
        return count;
    }

    private void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException stopping) {
            throw new IOException("interrupted while a body was read", stopping);
        }
    }
}
