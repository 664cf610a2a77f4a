package io.knabla.runtime.http;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much the peer of an HTTP/2 connection takes: in all, and of each stream (RFC 9113, section 5.2). Wakes only
 * streams that can go on: a peer that changes its windows often must not occupy all of them each time. Thread-safe.
 */
final class Http2Windows {
    private static final int DEFAULT = 65_535;

    /** What is taken at once; the others of the connection get their turn after it. */
    private static final int SHARE = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();

    /** Streams that wait for the connection's window alone, in their order. */
    private final SequencedSet<Window> starved = new LinkedHashSet<>();

    private long connection = DEFAULT;
    private int initial = DEFAULT;
    private boolean closed;

    /** The window of one stream. */
    static final class Window {
        private final Condition room;
        private long left;
        private boolean closed;

        private Window(Condition room, long left) {
            this.room = room;
            this.left = left;
        }
    }

    Window open() {
        lock.lock();
        try {
            return new Window(lock.newCondition(), initial);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes up to {@code wanted} bytes, at least one; waits until the peer has room for it.
     *
     * @throws IOException if the stream or the connection ended
     */
    int take(Window stream, int wanted) throws IOException {
        lock.lock();
        try {
            while (Math.min(stream.left, connection) <= 0 && !stream.closed && !closed) {
                await(stream);
            }
            if (stream.closed || closed) {
                throw new IOException("the client no longer takes the answer");
            }
            int taken = (int) Math.min(Math.min(wanted, SHARE), Math.min(stream.left, connection));
            stream.left -= taken;
            connection -= taken;
            return taken;
        } finally {
            starved.remove(stream);
            wakeNext();
            lock.unlock();
        }
    }

    private void await(Window stream) throws IOException {
        if (stream.left > 0) {
            starved.add(stream);
        } else {
            wakeNext();
        }
        try {
            stream.room.await();
        } catch (InterruptedException stopping) {
            throw new IOException("interrupted while the client was awaited", stopping);
        }
    }

    private void wakeNext() {
        if (connection > 0 && !starved.isEmpty()) {
            starved.removeFirst().room.signal();
        }
    }

    void close(Window stream) {
        lock.lock();
        try {
            stream.closed = true;
            stream.room.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Streams end their wait when they are closed themselves. */
    void close() {
        lock.lock();
        closed = true;
        lock.unlock();
    }

    /**
     * Adds to the window of a stream, or of the connection.
     *
     * @param stream null for the connection's own
     * @return false if it would be larger than 2^31-1 bytes, and is not changed
     */
    boolean grow(Window stream, int bytes) {
        lock.lock();
        try {
            long before = stream == null ? connection : stream.left;
            if (before + bytes > Integer.MAX_VALUE) {
                return false;
            }
            if (stream == null) {
                connection += bytes;
                wakeNext();
            } else {
                add(stream, bytes);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it may go on now. */
    private boolean add(Window stream, long bytes) {
        boolean waited = stream.left <= 0;
        stream.left += bytes;
        boolean released = waited && stream.left > 0;
        if (released) {
            stream.room.signal();
        }
        return released;
    }

    /**
     * Changes the first size of windows, also of those that are open; returns how many streams it lets go on.
     *
     * @throws Http2Error if a window would be larger than 2^31-1 bytes
     */
    int initial(int bytes, Iterable<Http2Stream> open) {
        lock.lock();
        try {
            long more = (long) bytes - initial;
            int released = 0;
            for (Http2Stream stream : open) {
                Window window = stream.window();
                if (window.left + more > Integer.MAX_VALUE) {
                    throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
                }
                released += add(window, more) ? 1 : 0;
            }
            initial = bytes;
            return released;
        } finally {
            lock.unlock();
        }
    }
}
