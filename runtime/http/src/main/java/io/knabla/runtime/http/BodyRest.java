package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;

/** The part of a request's body that its handler reads itself, from the connection. */
public final class BodyRest {
    private final BodyBuffer.Source source;
    private long left;

    BodyRest(BodyBuffer.Source source, long left) {
        this.source = source;
        this.left = left;
    }

    /** Bytes that are still to be read. */
    public long left() {
        return left;
    }

    /**
     * Reads between one and {@code length} bytes into the array, from index {@code from} on.
     *
     * @throws IOException if the client left
     */
    public int read(byte[] into, int from, int length) throws IOException {
        int count = source.read(into, from, (int) Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the body has ended");
        }
        left -= count;
        return count;
    }
}
