package io.knabla.storage;

/**
 * A byte range of an object.
 *
 * @param offset first byte, from 0
 * @param length bytes; a range that ends past the object is truncated at its end
 */
public record ByteRange(long offset, long length) {
    public static final ByteRange ALL = new ByteRange(0, Long.MAX_VALUE);

    public ByteRange {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "a byte range needs offset >= 0 and length >= 0, was " + offset + "+" + length);
        }
    }

    /** Instead of {@code equals}, which a start would derive anew: no AOT cache holds it. */
    public boolean isAll() {
        return offset == 0 && length == Long.MAX_VALUE;
    }
}
