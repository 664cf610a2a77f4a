package io.knabla.storage;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets clients upload large objects directly to the store by presigned URLs, which expire with the upload. Nothing is
 * visible under the key before {@link #complete}. The content is untrusted: check its digest before {@link #promote}
 * copies it to its final key.
 */
public interface PresignedUploads {
    /**
     * An upload in progress.
     *
     * @param id the upload id of the store
     * @param partSize bytes of every part but the last
     * @param missing the parts that are not stored yet; empty if the upload can be completed
     */
    record Upload(ObjectKey key, String id, long size, long partSize, List<Part> missing) {
        public Upload {
            missing = List.copyOf(missing);
        }
    }

    /**
     * One part to send by HTTP {@code PUT}: exactly {@code size} bytes from {@code offset} of the object. Sending it
     * twice is harmless.
     *
     * @param number from 1
     * @param headers required in the request besides {@code Host} and {@code Content-Length}
     */
    record Part(int number, long offset, long size, URI url, Map<String, String> headers) {
        public Part {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Starts an upload, or resumes the incomplete one of that key. Call it again after an interruption, or when the
     * URLs have expired.
     *
     * @param size bytes of the object, at least 1
     * @param valid how long the URLs are valid, at most 7 days
     */
    Upload begin(ObjectKey key, long size, Duration valid);

    /**
     * Completes the upload. Returns the etag of the object, also if the upload was complete already; empty if parts are
     * missing or the upload was aborted: {@link #begin} then lists the parts to send.
     */
    Optional<String> complete(ObjectKey key, String id, long size);

    /** Aborts an upload and frees its parts; does nothing if it no longer exists. */
    void abort(ObjectKey key, String id);

    /**
     * Copies an object of any size within the store, on the server. Returns the etag of the copy, or empty if
     * {@code from} no longer has the etag.
     *
     * @param to a content-addressed key: an object that exists there already is kept
     */
    Optional<String> promote(ObjectKey from, String etag, ObjectKey to);
}
