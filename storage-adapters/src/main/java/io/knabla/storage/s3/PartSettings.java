package io.knabla.storage.s3;

/**
 * How much memory an upload takes: {@code buffers} times {@code partSize}, whatever the object's size
 * up to 10,000 parts; then the parts grow.
 *
 * @param partSize bytes of every part but the last, at least 5 MiB
 * @param buffers parts that are read or sent at once
 */
record PartSettings(long partSize, int buffers) {
    static final PartSettings DEFAULT = new PartSettings(8 * PartPlan.MIB, 4);
}
