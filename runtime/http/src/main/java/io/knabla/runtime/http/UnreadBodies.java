package io.knabla.runtime.http;

import java.net.InetAddress;

/**
 * Memory for what one HTTP/2 connection has received of bodies and no handler has read: beyond a few KiB it is reserved
 * from the server's budget. Thread-safe.
 */
final class UnreadBodies {
    /** What needs no reservation: small calls fit. */
    private static final int FREE = 16 << 10;

    private static final int STEP = 64 << 10;

    private final HttpServer server;
    private final InetAddress client;
    private long unread;
    private long reserved;

    UnreadBodies(HttpServer server, InetAddress client) {
        this.server = server;
        this.client = client;
    }

    /** Called by the connection's thread; false if there is no memory for so many bytes more. */
    boolean add(int bytes) {
        long wanted = missing(bytes);
        // Outside of the monitor: it may have to wait until a stalled body is given up.
        if (wanted > 0 && !server.reserve(client, wanted)) {
            return false;
        }
        synchronized (this) {
            unread += bytes;
            reserved += wanted;
        }
        return true;
    }

    private synchronized long missing(int bytes) {
        long over = unread + bytes - FREE - reserved;
        return over <= 0 ? 0 : Math.max(STEP, over);
    }

    /** Called by any thread. */
    void remove(int bytes) {
        long spare;
        synchronized (this) {
            unread -= bytes;
            spare = unread <= FREE ? reserved : Math.max(0, reserved - (unread - FREE) - STEP);
            reserved -= spare;
        }
        server.release(client, spare);
    }

    synchronized boolean holds() {
        return reserved > 0;
    }
}
