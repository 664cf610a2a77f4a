package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for the current request of a connection: for its body, and for a response that is held whole. Grows only as
 * bytes arrive, within the server's budget.
 */
final class BodyBuffer {
    /** Bodies up to this size share one array of the connection and need no reservation. */
    private static final int SMALL = 4 << 10;

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** First allocation for a larger body. */
    private static final int FIRST_STEP = 256 << 10;

    private static final int BELIEVED = 1 << 20;

    private final HttpServer server;
    private final InetAddress client;
    private final AtomicLong held = new AtomicLong();
    private byte[] small = {};
    private byte[] bytes;

    BodyBuffer(HttpServer server, InetAddress client) {
        this.server = server;
        this.client = client;
    }

    /** Where bytes come from; returns -1 at the end of the body. */
    interface Source {
        int read(byte[] into, int from, int length) throws IOException;
    }

    /**
     * Reads at most {@code most} bytes into the request; one more if only that shows that the body goes on.
     *
     * @param declared length of the body; -1 if unknown
     */
    void fill(HttpRequest request, long declared, int most, Source source) throws IOException {
        int expected = (int) Math.min(declared < 0 ? most + 1L : declared, declared < 0 ? LARGEST_ARRAY : most);
        int filled = 0;
        if (expected == 0) {
            return;
        }
        reserve(declared < 0 ? SMALL : Math.min(expected, FIRST_STEP));
        while (filled < expected) {
            if (filled == bytes.length) {
                // Of a large one the rest is believed after an eighth: each copy needs the old array beside the new
                // one.
                boolean believed = declared >= 0 && filled >= Math.max(BELIEVED, expected >> 3);
                reserve(believed ? expected : (int) Math.min(expected, 2L * bytes.length));
            }
            int count = source.read(bytes, filled, Math.min(expected, bytes.length) - filled);
            if (count < 0) {
                break;
            }
            filled += count;
        }
        request.body = bytes;
        request.bodyLength = filled;
    }

    static HttpFault noMemory() {
        return new HttpFault(503, "too many large bodies are in memory; try again later");
    }

    private void reserve(int size) {
        if (size <= SMALL) {
            if (small.length == 0) {
                small = new byte[SMALL];
            }
            bytes = small;
            return;
        }
        if (!hold(size - held.get())) {
            throw noMemory();
        }
        bytes = bytes == null ? new byte[size] : Arrays.copyOf(bytes, size);
    }

    /** Reserves memory for a response that is held until the client has read it; false if there is none. */
    boolean hold(long size) {
        if (!server.reserve(client, size)) {
            return false;
        }
        held.addAndGet(size);
        return true;
    }

    boolean holds() {
        return held.get() > 0;
    }

    /** Gives the reservation back; also called by another thread, when it closes the connection. */
    void release() {
        forfeit();
        bytes = null;
    }

    /** Returns the reservation at once, before the connection's thread has ended. */
    void forfeit() {
        server.release(client, held.getAndSet(0));
    }
}
