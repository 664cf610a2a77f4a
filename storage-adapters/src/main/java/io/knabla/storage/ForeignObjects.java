package io.knabla.storage;

import java.io.InputStream;

/**
 * Other people's objects, only to read: any bucket that this process's credentials reach, any key. Apart from
 * {@link ObjectStore}, whose keys are narrower and whose promises nobody makes for a bucket that is not ours. Safe for
 * use by many threads.
 */
public interface ForeignObjects extends AutoCloseable {
    /** What is there now. */
    sealed interface Look {
        /** @param etag another one whenever the object changes */
        record Found(long size, String etag) implements Look {}

        /** @param sentence what, where, what to do */
        record Refused(String sentence) implements Look {}
    }

    /** Asks the bucket; an outage is an answer too, as it is the caller's bucket. */
    Look look(ForeignAddress address);

    /**
     * The bytes of that very object; the caller closes the stream.
     *
     * @throws StorageException where they cannot be had, also when it is another object by now
     */
    InputStream open(ForeignAddress address, String etag, ByteRange range);

    /** How many ranges of one object are worth reading at once. */
    int parallelism();

    @Override
    void close();
}
