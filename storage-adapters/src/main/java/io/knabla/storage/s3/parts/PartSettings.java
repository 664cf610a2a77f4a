package io.knabla.storage.s3.parts;

/**
 * How much memory an upload takes: {@code buffers} times {@code partSize}, whatever the object's size up to 10,000
 * parts; then the parts grow. The default fits into a heap of 64 MB beside all else: 4 GiB went to Versity Gateway so
 * at 77 and 95 MB/s on two very busy cores. Parts of 16 MiB, which do not fit, were 0.9 to 2.6 times as fast there.
 *
 * @param partSize bytes of every part but the last, at least 5 MiB
 * @param buffers parts that are read or sent at once
 */
public record PartSettings(long partSize, int buffers) {
    public static final PartSettings DEFAULT = new PartSettings(8 * PartPlan.MIB, 4);
}
