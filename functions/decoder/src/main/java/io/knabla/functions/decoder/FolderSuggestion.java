package io.knabla.functions.decoder;

import io.knabla.functions.compiler.analyze.Analysis.Suggestion;

/** Resources of a replica that serves a folder's model. */
final class FolderSuggestion {
    private static final long MIB = 1L << 20;

    /** Memory of a replica without a model. */
    private static final long REPLICA_BYTES = 192 * MIB;

    /** The engine keeps the weights as they are in the file, and once more as its kernels want them. */
    private static final int COPIES = 2;

    private static final int MAX_CORES = 8;

    private FolderSuggestion() {}

    /**
     * @param valueBytes memory for what is computed
     * @param cores that would be fast enough
     */
    static Suggestion of(long weightBytes, long valueBytes, double cores, String reason) {
        long needed = REPLICA_BYTES + COPIES * weightBytes + valueBytes;
        return new Suggestion(
                "cpu",
                1000 * (long) Math.clamp(Math.ceil(cores), 1, MAX_CORES),
                Math.ceilDiv(needed, 64 * MIB) * 64 * MIB,
                reason);
    }
}
