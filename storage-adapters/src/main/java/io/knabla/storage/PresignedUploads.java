package io.knabla.storage;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Large objects that others send straight to the store, by URLs that carry the right to do just that and die with the
 * upload. Nothing is visible under the key until {@link #complete}, and what then is there is only as good as who sent
 * it: read it and check its digest before {@link #promote} gives it its real name.
 */
public interface PresignedUploads {
    /**
     * An upload under way.
     *
     * @param id the store's own
     * @param partSize bytes of every part but the last
     * @param missing the parts that the store does not have yet; empty when it is ready to complete
     */
    record Upload(ObjectKey key, String id, long size, long partSize, List<Part> missing) {
        public Upload {
            missing = List.copyOf(missing);
        }
    }

    /**
     * One piece to send by HTTP {@code PUT}, exactly {@code size} bytes from {@code offset} of the whole. Sending it
     * twice does no harm.
     *
     * @param number from 1
     * @param headers that the request must have, besides {@code Host} and {@code Content-Length}
     */
    record Part(int number, long offset, long size, URI url, Map<String, String> headers) {
        public Part {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Begins an upload, or goes on with the unfinished one of that key: ask again after a break, or when the URLs have
     * aged.
     *
     * @param size bytes of the whole, at least 1
     * @param valid how long the URLs work, at most 7 days
     */
    Upload begin(ObjectKey key, long size, Duration valid);

    /**
     * Makes the object of its parts. Answers its etag, also when it was complete before, or empty while parts are
     * missing or the upload was given up: {@link #begin} then says what to send.
     */
    Optional<String> complete(ObjectKey key, String id, long size);

    /** Gives an upload up and frees its parts; one that is gone already is fine. */
    void abort(ObjectKey key, String id);

    /**
     * Copies an object within the store, whatever its size, without its bytes passing through here. Answers the copy's
     * etag, or empty when {@code from} no longer has the etag.
     *
     * @param to a key whose name says its content: an equal object already there is as good
     */
    Optional<String> promote(ObjectKey from, String etag, ObjectKey to);
}
