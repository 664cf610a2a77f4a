package io.knabla.runtime.http;

import java.io.IOException;

/**
 * Passes the rest of a request's body on while the handler already waits for the answer. When the answer is complete
 * before the body, the rest is read and dropped, so that the client gets to read the answer.
 */
public final class BodyPump {
    private static final int PIECE = 32 << 10;

    /** Takes the pieces of a body in order. */
    public interface Sink extends AutoCloseable {
        void write(byte[] bytes, int length) throws IOException;

        /** The body is complete. */
        void end() throws IOException;

        /** The body cannot be completed, or nobody takes it. */
        @Override
        void close();
    }

    private final HttpExchange exchange;
    private final Sink sink;
    private final Thread thread;
    private volatile boolean dropping;
    private volatile boolean complete;
    private volatile boolean waiting;
    private volatile HttpFault fault;
    private volatile IOException left;

    BodyPump(HttpExchange exchange, Sink sink) {
        this.exchange = exchange;
        this.sink = sink;
        thread = Thread.ofVirtual().name("body").start(this::run);
    }

    private void run() {
        byte[] piece = new byte[PIECE];
        try {
            for (int count = read(piece); count >= 0; count = read(piece)) {
                pass(piece, count);
            }
            if (!dropping) {
                end();
            }
        } catch (HttpFault refused) {
            fault = refused;
            sink.close();
        } catch (IOException gone) {
            left = gone;
            sink.close();
        }
    }

    private int read(byte[] piece) throws IOException {
        waiting = true;
        int count = exchange.read(piece);
        waiting = false;
        return count;
    }

    private void end() {
        try {
            sink.end();
            complete = true;
        } catch (IOException refused) {
            // As in pass.
            dropping = true;
        }
    }

    private void pass(byte[] piece, int count) throws IOException {
        if (dropping) {
            return;
        }
        try {
            sink.write(piece, count);
        } catch (IOException refused) {
            // The server that reads it may have answered before its end.
            dropping = true;
        }
    }

    /** Throws what went wrong on the client's side, if that ended the body; otherwise returns. */
    public void rethrow() throws IOException {
        if (fault != null) {
            throw fault;
        }
        if (left != null) {
            throw left;
        }
    }

    /** Whether it waits for the client to send more. */
    public boolean waitsForClient() {
        return waiting;
    }

    /** Whether the whole body was passed on. */
    public boolean complete() {
        return complete;
    }

    /** Drops what still comes; returns when nothing does, or the connection is closed. */
    void drop() throws IOException {
        dropping = true;
        try {
            thread.join();
        } catch (InterruptedException stopping) {
            throw new IOException("interrupted while a body was dropped", stopping);
        }
    }
}
