package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Analysis.Suggestion;

/** Suggests pool, CPU and memory of a replica for a model. */
final class ReplicaSizing {
    private static final long MIB = 1L << 20;

    /** Memory of a replica without a model. */
    private static final long REPLICA_BYTES = 192 * MIB;

    /** The engine's arena grows by doubling. */
    private static final int ARENA = 2;

    /** Concurrent calls: the default of function.yaml. */
    private static final int CONCURRENCY = 4;

    private static final double WANTED_SECONDS = 0.1;
    private static final double GPU_FROM_SECONDS = 1;
    private static final int MAX_CORES = 8;

    private ReplicaSizing() {}

    static Suggestion suggest(
            Machine machine, double seconds, double intensity, long weightBytes, long peakMemoryBytes) {
        boolean gpu = seconds > GPU_FROM_SECONDS && intensity > machine.ridge();
        long needed = SaturatingMath.plus(
                REPLICA_BYTES + weightBytes, SaturatingMath.times(ARENA * CONCURRENCY, peakMemoryBytes));
        long memory = Math.max(256 * MIB, SaturatingMath.times(Math.ceilDiv(needed, 64 * MIB), 64 * MIB));
        double coreSeconds = seconds * machine.threads();
        long milliCpu = coreSeconds < WANTED_SECONDS / 10
                ? 500
                : 1000 * (long) Math.clamp(Math.ceil(coreSeconds / WANTED_SECONDS), 1, MAX_CORES);
        String reason = gpu
                ? "a call takes about %.1f s on %s and computes much more than it moves (%.0f FLOPs a byte), which is what a GPU is for"
                        .formatted(seconds, machine.text(), intensity)
                : "a call takes about %.2f ms on %s; memory holds a replica, the weights and %d calls at once"
                        .formatted(seconds * 1000, machine.text(), CONCURRENCY);
        return new Suggestion(gpu ? "gpu" : "cpu", milliCpu, memory, reason);
    }
}
