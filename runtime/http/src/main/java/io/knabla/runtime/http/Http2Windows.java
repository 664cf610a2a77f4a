package io.knabla.runtime.http;

import java.io.IOException;

/** How much the peer of an HTTP/2 connection takes: in all, and of each stream (RFC 9113, section 5.2). Thread-safe. */
final class Http2Windows {
    private static final int DEFAULT = 65_535;

    /** What is taken at once; the others of the connection get their turn after it. */
    private static final int SHARE = 64 << 10;

    private long connection = DEFAULT;
    private int initial = DEFAULT;
    private boolean closed;

    /** The window of one stream. */
    static final class Window {
        private long left;
        private boolean closed;
    }

    synchronized Window open() {
        var window = new Window();
        window.left = initial;
        return window;
    }

    /**
     * Takes up to {@code wanted} bytes, at least one; waits until the peer has room for it.
     *
     * @throws IOException if the stream or the connection ended
     */
    synchronized int take(Window stream, int wanted) throws IOException {
        while (Math.min(stream.left, connection) <= 0 && !stream.closed && !closed) {
            try {
                wait();
            } catch (InterruptedException stopping) {
                throw new IOException("interrupted while the client was awaited", stopping);
            }
        }
        if (stream.closed || closed) {
            throw new IOException("the client no longer takes the answer");
        }
        int taken = (int) Math.min(Math.min(wanted, SHARE), Math.min(stream.left, connection));
        stream.left -= taken;
        connection -= taken;
        return taken;
    }

    synchronized void close(Window stream) {
        stream.closed = true;
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** @param stream null for the connection's own */
    synchronized void grow(Window stream, int bytes) {
        if (stream == null) {
            connection = checked(connection + bytes);
        } else {
            stream.left = checked(stream.left + bytes);
        }
        notifyAll();
    }

    /** Changes the first size of windows, also of those that are open. */
    synchronized void initial(int bytes, Iterable<Http2Stream> open) {
        for (Http2Stream stream : open) {
            Window window = stream.window();
            window.left = checked(window.left + bytes - initial);
        }
        initial = bytes;
        notifyAll();
    }

    private static long checked(long window) {
        if (window > Integer.MAX_VALUE) {
            throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
        }
        return window;
    }
}
