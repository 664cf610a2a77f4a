package io.knabla.controller.cost.ledger.segment;

import java.util.List;

/** Segments of one writer or of all writers of a store, and the place to append to them. Thread-safe. */
public interface Segments extends SegmentReader, AutoCloseable {
    /**
     * Returns when these bytes are durable; those of concurrent callers are flushed together.
     *
     * @param frames made by {@link SegmentContents#encode}; a single array is never torn apart by other callers
     * @throws io.knabla.storage.StorageException if they are not known to be durable; they may be there all the same
     */
    void append(byte[] frames);

    /** Names of the segments that are complete, because their hour is over; oldest first. */
    List<SegmentName> ended();

    /** Deletes a segment whose rows are merged; one that is gone is no error. */
    void delete(SegmentName name);

    @Override
    void close();
}
