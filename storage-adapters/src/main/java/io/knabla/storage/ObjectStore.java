package io.knabla.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stores bytes under keys; the only database of Knabla. Every adapter gives these guarantees, which
 * {@code ObjectStoreContract} in the tests checks:
 *
 * <ul>
 *   <li><b>Atomic.</b> A reader sees an object as one write left it, never a part, also when the writer is killed.
 *   <li><b>Durable.</b> An acknowledged write survives a restart of the process and of the machine.
 *   <li><b>One winner.</b> Of concurrent writers that create one key, or replace one etag, exactly one succeeds, across
 *       threads, processes and machines.
 *   <li><b>Strongly consistent.</b> A read or a list that starts after a write returned sees that write.
 * </ul>
 *
 * Absence and a lost race are values; an outage is a {@link StorageException}; an {@link IOException} comes only from
 * the {@link Content}, and then nothing was written. Equal bytes may have equal etags (as in S3), so a document that is
 * replaced conditionally must contain something that differs in every version. Thread-safe.
 */
public interface ObjectStore extends AutoCloseable {

    /** Reads a whole object into memory; for documents, not for weights. */
    Optional<StoredObject> read(ObjectKey key);

    Optional<ObjectInfo> stat(ObjectKey key);

    /** Opens a stream over the version that is current now; the caller closes it. */
    Optional<InputStream> open(ObjectKey key, ByteRange range);

    /**
     * Returns the local file of the object, for reading, mapping or hard-linking, never for writing. Empty if the
     * object is absent or not on this machine.
     */
    default Optional<Path> localPath(ObjectKey key) {
        return Optional.empty();
    }

    /** Returns how many ranges to read concurrently; 1 if one stream is as fast. */
    default int parallelism() {
        return 1;
    }

    /** Writes unconditionally. Returns the new etag. */
    String write(ObjectKey key, Content content) throws IOException;

    /** Writes only if the key is absent. Returns the new etag, or empty if the key exists. */
    Optional<String> createOnce(ObjectKey key, Content content) throws IOException;

    /**
     * Writes only if the current etag is {@code etag}. Returns the new etag, or empty if it differs or the key is
     * absent.
     */
    Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException;

    /** Lists the objects with this key prefix, in key order; the caller closes the stream. */
    Stream<ObjectInfo> list(String prefix);

    /** Deletes an object. Returns whether it existed. */
    boolean delete(ObjectKey key);

    /** Returns the diagnostic checks of the server behind this store; empty if there is no server. */
    default Optional<Checkup> checkup() {
        return Optional.empty();
    }

    /** Returns presigned uploads, if the adapter supports them. */
    default Optional<PresignedUploads> presigned() {
        return Optional.empty();
    }

    /**
     * Aborts incomplete uploads without progress since {@code olderThan}. Returns how many; a writer that is still
     * alive restarts its upload.
     */
    default int abortStaleUploads(Instant olderThan) {
        return 0;
    }

    /** Returns the location of this store: {@code file:///…} or {@code s3://bucket/prefix}. */
    String location();

    @Override
    void close();
}
