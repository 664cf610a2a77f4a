package io.knabla.functions.compiler.pool;

import io.knabla.functions.compiler.pool.NodeKind.Precision;
import java.util.OptionalInt;

/**
 * The rate of calls, and the rows of a run, from which a GPU node costs less than CPU nodes.
 *
 * @param fromCallsPerSecond rate from which one GPU node replaces as many CPU nodes as it costs (λ*); infinite if it is
 *     full before
 * @param fromRows smallest power of two of rows a run from which a busy GPU computes a row for less (b*); empty if
 *     there is none up to {@link #MOST_ROWS}
 * @param cpuDollars cost of a million calls on CPU nodes that are busy
 * @param gpuDollars likewise on GPU nodes, in runs of as many rows as are allowed
 */
public record BreakEven(
        NodeKind cpu,
        NodeKind gpu,
        double fromCallsPerSecond,
        OptionalInt fromRows,
        double cpuDollars,
        double gpuDollars) {
    /** Larger runs take longer than callers wait. */
    public static final int MOST_ROWS = 256;

    private static final double MILLION = 1e6;
    private static final double HOUR = 3600;

    /** @param maxRows rows that a run may join */
    public static BreakEven of(CallWork work, NodeKind cpu, NodeKind gpu, int maxRows, Precision precision) {
        double onCpu = work.rowsPerSecond(cpu, 1, Precision.FLOAT32);
        double onGpu = work.rowsPerSecond(gpu, maxRows, precision);
        double from = onCpu * gpu.dollarsPerHour() / cpu.dollarsPerHour();
        return new BreakEven(
                cpu,
                gpu,
                from <= onGpu ? from : Double.POSITIVE_INFINITY,
                rows(work, cpu.dollarsPerHour() / onCpu, gpu, precision),
                MILLION * cpu.dollarsPerHour() / (HOUR * onCpu),
                MILLION * gpu.dollarsPerHour() / (HOUR * onGpu));
    }

    private static OptionalInt rows(CallWork work, double cpuPrice, NodeKind gpu, Precision precision) {
        for (int rows = 1; rows <= MOST_ROWS; rows *= 2) {
            if (gpu.dollarsPerHour() * work.seconds(gpu, rows, precision) / rows < cpuPrice) {
                return OptionalInt.of(rows);
            }
        }
        return OptionalInt.empty();
    }

    /** Whether the GPU costs less at some rate. */
    public boolean pays() {
        return Double.isFinite(fromCallsPerSecond);
    }
}
