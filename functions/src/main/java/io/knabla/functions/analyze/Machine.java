package io.knabla.functions.analyze;

import io.knabla.functions.analyze.Analysis.Suggestion;

/**
 * The machine that estimates are for, and the sizes that follow from them. Its two numbers were
 * measured with ONNX Runtime on two threads.
 */
final class Machine {
    static final String NAME = "2 vCPU (AMD EPYC): 450 GFLOP/s, 40 GB/s";
    static final int CORES = 2;
    static final double FLOPS_PER_SECOND = 450e9;
    static final double BYTES_PER_SECOND = 40e9;

    private static final long MIB = 1L << 20;

    /** A replica that has loaded nothing yet. */
    private static final long REPLICA_BYTES = 192 * MIB;

    /** The engine's arena grows by doubling. */
    private static final int ARENA = 2;

    /** Calls at once, as function.yaml's default has it. */
    private static final int CONCURRENCY = 4;

    private static final double WANTED_SECONDS = 0.1;
    private static final double GPU_FROM_SECONDS = 1;
    private static final int MAX_CORES = 8;

    private Machine() {}

    static double seconds(long flops, long bytes) {
        return Math.max(flops / FLOPS_PER_SECOND, bytes / BYTES_PER_SECOND);
    }

    static Suggestion suggest(
            double seconds, double intensity, long weightBytes, long peakMemoryBytes) {
        double ridge = FLOPS_PER_SECOND / BYTES_PER_SECOND;
        boolean gpu = seconds > GPU_FROM_SECONDS && intensity > ridge;
        long needed =
                Amounts.plus(
                        REPLICA_BYTES + weightBytes,
                        Amounts.times(ARENA * CONCURRENCY, peakMemoryBytes));
        long memory = Math.max(256 * MIB, Amounts.times(Math.ceilDiv(needed, 64 * MIB), 64 * MIB));
        double coreSeconds = seconds * CORES;
        long milliCpu =
                coreSeconds < WANTED_SECONDS / 10
                        ? 500
                        : 1000
                                * (long)
                                        Math.clamp(
                                                Math.ceil(coreSeconds / WANTED_SECONDS),
                                                1,
                                                MAX_CORES);
        String reason =
                gpu
                        ? "a call takes about %.1f s on %s and computes much more than it moves (%.0f FLOPs a byte), which is what a GPU is for"
                                .formatted(seconds, NAME, intensity)
                        : "a call takes about %.2f ms on %s; memory holds a replica, the weights and %d calls at once"
                                .formatted(seconds * 1000, NAME, CONCURRENCY);
        return new Suggestion(gpu ? "gpu" : "cpu", milliCpu, memory, reason);
    }
}
