package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.compiler.pool.ComparedNodes;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.PoolRule;
import io.knabla.functions.compiler.pool.PoolRule.Choice;

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

    private static final int MAX_CORES = 8;

    private ReplicaSizing() {}

    /** @param callsPerSecond that the function is expected to get */
    static Suggestion suggest(
            Machine machine, double seconds, CallWork work, long peakMemoryBytes, double callsPerSecond) {
        long needed = SaturatingMath.plus(
                REPLICA_BYTES + (long) work.weightBytes(), SaturatingMath.times(ARENA * CONCURRENCY, peakMemoryBytes));
        long memory = Math.max(256 * MIB, SaturatingMath.times(Math.ceilDiv(needed, 64 * MIB), 64 * MIB));
        double coreSeconds = seconds * machine.threads();
        long milliCpu = coreSeconds < WANTED_SECONDS / 10
                ? 500
                : 1000 * (long) Math.clamp(Math.ceil(coreSeconds / WANTED_SECONDS), 1, MAX_CORES);
        Choice choice = PoolRule.choose(
                PoolRule.breakEvens(ComparedNodes.TABLE, work, PoolRule.ASSUMED_ROWS, Precision.TF32), callsPerSecond);
        String reason = "a call takes about %.2f ms on %s; memory holds a replica, the weights and %d calls at once; %s"
                .formatted(seconds * 1000, machine.text(), CONCURRENCY, choice.reason());
        return new Suggestion(pool(choice), milliCpu, memory, reason);
    }

    private static String pool(Choice choice) {
        return switch (choice) {
            case Choice.Cpu _ -> "cpu";
            case Choice.Gpu _ -> "gpu";
        };
    }
}
