package io.knabla.storage;

import java.time.Instant;

/**
 * Metadata of an object: size, etag and time of modification.
 *
 * @param size bytes
 * @param etag changes whenever the content changes; opaque, compared only with etags of this store
 */
public record ObjectInfo(ObjectKey key, long size, String etag, Instant modified) {}
