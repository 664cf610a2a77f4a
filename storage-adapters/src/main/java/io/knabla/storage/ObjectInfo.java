package io.knabla.storage;

import java.time.Instant;

/**
 * What a store knows of an object without reading it.
 *
 * @param size bytes
 * @param etag changes whenever the content changes; opaque, compared only with etags of this store
 */
public record ObjectInfo(ObjectKey key, long size, String etag, Instant modified) {}
