package io.knabla.functions.unit;

/**
 * One immutable file, named by its digest; units that contain the same bytes share it.
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
