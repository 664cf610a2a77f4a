package io.knabla.storage;

/** A small object read whole, with the etag that a later conditional write compares. */
public record StoredObject(byte[] bytes, String etag) {}
