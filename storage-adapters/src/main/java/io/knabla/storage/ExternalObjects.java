package io.knabla.storage;

import java.io.InputStream;

/**
 * Reads objects of any bucket that this process's credentials can read. Separate from {@link ObjectStore}, which
 * restricts keys and gives guarantees that hold only for Knabla's own bucket. Thread-safe.
 */
public interface ExternalObjects extends AutoCloseable {
    /** The result of a HEAD request. */
    sealed interface StatResult {
        /** @param etag changes whenever the object changes */
        record Found(long size, String etag) implements StatResult {}

        /** @param sentence that there is no such object, where, and what to do */
        record Absent(String sentence) implements StatResult {}

        /** @param sentence what failed, where, and what to do */
        record Refused(String sentence) implements StatResult {}
    }

    /**
     * Returns size and etag. A missing bucket or an outage is a {@code Refused}, not an exception, because the bucket
     * is the caller's.
     */
    StatResult stat(ExternalAddress address);

    /**
     * Opens a range of the object with this etag; the caller closes the stream.
     *
     * @throws StorageException if the range cannot be read, also if the object was replaced
     */
    InputStream open(ExternalAddress address, String etag, ByteRange range);

    /** Returns how many ranges of one object to read concurrently. */
    int parallelism();

    @Override
    void close();
}
