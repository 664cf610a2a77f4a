package io.knabla.storage.s3.parts;

/**
 * Divides an object into parts of equal size; the last part may be shorter.
 *
 * @param size bytes of the object, at least 1
 * @param partSize bytes of every part but the last
 */
public record PartPlan(long size, long partSize) {
    static final long MIB = 1L << 20;

    /** Limits of S3; the minimum does not apply to the last part ("Amazon S3 multipart upload limits"). */
    static final int MAX_PARTS = 10_000;

    public static final long MIN_PART = 5 * MIB;
    static final long MAX_PART = 5L << 30;

    /**
     * Plans parts of {@code wanted} bytes, at least the minimum of S3; larger parts, in whole MiB, if there would be
     * too many.
     */
    static PartPlan of(long size, long wanted) {
        if (size < 1 || size > MAX_PARTS * MAX_PART) {
            throw new IllegalArgumentException(
                    "an upload has 1 to %d bytes, was %d".formatted(MAX_PARTS * MAX_PART, size));
        }
        long least = Math.ceilDiv(Math.ceilDiv(size, MAX_PARTS), MIB) * MIB;
        return new PartPlan(size, Math.max(Math.max(wanted, MIN_PART), least));
    }

    int parts() {
        return (int) Math.ceilDiv(size, partSize);
    }

    /** @param number from 1 */
    long offset(int number) {
        return (number - 1) * partSize;
    }

    /** @param number from 1 */
    long length(int number) {
        return Math.min(partSize, size - offset(number));
    }
}
