package io.knabla.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Bytes under keys, the only database Knabla has. Every adapter keeps these promises, and {@code ObjectStoreContract}
 * in the tests checks them:
 *
 * <ul>
 *   <li><b>Whole or absent.</b> A reader sees an object as one write left it, never a part, also when the writer is
 *       killed.
 *   <li><b>Durable.</b> What a write acknowledged survives the process and the machine's restart.
 *   <li><b>Races have one winner.</b> Of writers that create one key, or that replace one etag, exactly one succeeds,
 *       across threads, processes and machines.
 *   <li><b>Strong.</b> A read or a list that starts after a write returned sees that write.
 * </ul>
 *
 * Absence and a lost race are values; an outage is a {@link StorageException}; an {@link IOException} comes only from
 * the {@link Content} that was to be written, and then nothing was. Equal bytes may have equal etags (S3 works so), so
 * a document that is replaced conditionally holds something that differs in every version. Safe for use by many
 * threads.
 */
public interface ObjectStore extends AutoCloseable {

    /** The whole object; for documents, not for weights. */
    Optional<StoredObject> read(ObjectKey key);

    Optional<ObjectInfo> stat(ObjectKey key);

    /** A stream over the object as it was when opened; the caller closes it. */
    Optional<InputStream> open(ObjectKey key, ByteRange range);

    /**
     * A file on this machine that holds the object, where the adapter has one: to read, to map or to hard-link, never
     * to change. Empty when the object is absent or kept elsewhere.
     */
    default Optional<Path> localPath(ObjectKey key) {
        return Optional.empty();
    }

    /** How many ranges of objects are worth reading at once; 1 where one stream is as fast. */
    default int parallelism() {
        return 1;
    }

    /** Writes whatever was there before. Answers the new etag. */
    String write(ObjectKey key, Content content) throws IOException;

    /** Writes only where nothing is. Answers the new etag, or empty when the key exists. */
    Optional<String> createOnce(ObjectKey key, Content content) throws IOException;

    /** Writes only over {@code etag}. Answers the new etag, or empty when it is another or absent. */
    Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException;

    /** Objects whose path starts with {@code prefix}, in key order; the caller closes the stream. */
    Stream<ObjectInfo> list(String prefix);

    /** Answers whether there was something to delete. */
    boolean delete(ObjectKey key);

    /** What can be asked of the server behind this store; empty where there is none. */
    default Optional<Checkup> checkup() {
        return Optional.empty();
    }

    /** Uploads that clients do straight to the store, where the adapter can let them. */
    default Optional<PresignedUploads> presigned() {
        return Optional.empty();
    }

    /**
     * Frees what writers that died left half-sent and nobody has touched since {@code olderThan}. Answers how many
     * writes that were; a writer that is alive after all begins anew.
     */
    default int abandonUploads(Instant olderThan) {
        return 0;
    }

    /** Where this store is, for people: {@code file:///…} or {@code s3://bucket/prefix}. */
    String location();

    @Override
    void close();
}
