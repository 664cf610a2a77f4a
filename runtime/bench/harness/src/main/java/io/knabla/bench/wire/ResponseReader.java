package io.knabla.bench.wire;

/** Incremental response parser: collects bytes and detects the end of a response. */
public interface ResponseReader {
    /** The buffer to read into, from index {@link #count()} on. */
    byte[] room();

    int count();

    /** Records that {@code more} bytes were read into {@link #room()}; true if the response is complete. */
    boolean received(int more);

    /** Prepares for the next response on the same connection. */
    void reset();

    boolean isOk();

    /** Whether the body equals this one. */
    boolean hasBody(byte[] body);

    byte[] rawBody();

    HttpAnswer answer();
}
