package io.knabla.functions.unit;

/**
 * One immutable file of a unit, stored once however many units use it.
 *
 * @param size bytes
 */
public record Blob(Digest digest, long size) {}
