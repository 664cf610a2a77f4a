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

    /** As in {@link Digest#equals}, for a start's sake. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Blob blob && digest.equals(blob.digest) && size == blob.size;
    }

    @Override
    public int hashCode() {
        return 31 * digest.hashCode() + Long.hashCode(size);
    }
}
