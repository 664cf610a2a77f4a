package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;

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
    private volatile long held;
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
        if (!resize(declared < 0 ? SMALL : Math.min(expected, FIRST_STEP))) {
            throw noMemory();
        }
        while (filled < expected) {
            if (filled == bytes.length) {
                grow(expected);
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

    /**
     * Doubles the array up to an eighth of a large body, then believes the rest: the last copy, which needs the old
     * array beside the new one, takes at most {@link #mostFor}.
     */
    private void grow(int expected) {
        int eighth = Math.max(BELIEVED, expected >> 3);
        int twice = (int) Math.min(expected, 2L * bytes.length);
        boolean grown = bytes.length < eighth ? resize(Math.min(twice, eighth)) : resize(expected) || resize(twice);
        if (!grown) {
            throw noMemory();
        }
    }

    /** Bytes that a body of at most {@code most} bytes reserves while it grows. */
    static long mostFor(int most) {
        long expected = most + 1L;
        return expected + Math.max(BELIEVED, expected >> 3);
    }

    private boolean resize(int size) {
        if (size <= SMALL) {
            if (small.length == 0) {
                small = new byte[SMALL];
            }
            bytes = small;
            return true;
        }
        // Both arrays are in memory until the old one's bytes are copied.
        if (!hold(size)) {
            return false;
        }
        byte[] before = bytes;
        bytes = before == null ? new byte[size] : Arrays.copyOf(before, size);
        if (before != null && before.length > SMALL) {
            giveBack(before.length);
        }
        return true;
    }

    /** Reserves memory for a response that is held until the client has read it; false if there is none. */
    boolean hold(long size) {
        if (!server.reserve(client, size)) {
            return false;
        }
        held += size;
        return true;
    }

    /** Called by any thread. */
    boolean holds() {
        return held > 0;
    }

    /** Drops the body and returns all that is reserved. */
    void release() {
        bytes = null;
        giveBack(held);
    }

    private void giveBack(long size) {
        held -= size;
        server.release(client, size);
    }
}
