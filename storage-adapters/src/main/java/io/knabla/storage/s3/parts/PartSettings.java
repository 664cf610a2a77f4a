package io.knabla.storage.s3.parts;

/**
 * Bounds the memory of an upload to {@code buffers} times {@code partSize}, for any object size up to 10,000 parts;
 * above, the parts grow. The default fits into a heap of 64 MB: it sent 4 GiB to Versity Gateway at 77 and 95 MB/s on
 * two very busy cores. Parts of 16 MiB, which do not fit, were 0.9 to 2.6 times as fast.
 *
 * @param partSize bytes of every part but the last, at least 5 MiB
 * @param buffers parts that are read or sent concurrently
 */
public record PartSettings(long partSize, int buffers) {
    public static final PartSettings DEFAULT = new PartSettings(8 * PartPlan.MIB, 4);
}
