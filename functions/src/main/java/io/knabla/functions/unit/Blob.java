package io.knabla.functions.unit;

/**
 * One immutable file of a unit, stored once however many units use it.
 *
 * @param size bytes
 */
public record Blob(Digest digest, long size) {
    public Blob {
        if (size < 0) {
            throw new IllegalArgumentException("a blob needs a size >= 0, was " + size);
        }
    }
}
