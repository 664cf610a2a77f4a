package io.knabla.storage;

/** A small object read into memory, with the etag for a later conditional write. */
public record StoredObject(byte[] bytes, String etag) {}
