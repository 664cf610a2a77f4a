package io.knabla.functions.compiler.pool;

import io.knabla.functions.compiler.pool.NodeKind.Efficiency;
import io.knabla.functions.compiler.pool.NodeKind.Precision;

/**
 * Work of a call, in float32.
 *
 * @param flops floating-point operations of one row
 * @param convolutionFlops those of them that are in convolutions
 * @param weightBytes read once a run, however many rows it has
 * @param activationBytes that a row reads and writes besides
 * @param ioBytes inputs and outputs of a row
 * @param operators nodes of the graph
 */
public record CallWork(
        double flops,
        double convolutionFlops,
        double weightBytes,
        double activationBytes,
        double ioBytes,
        int operators) {
    /** @param movedBytes read and written by all operators, weights included */
    public static CallWork of(
            long flops, long convolutionFlops, long movedBytes, long weightBytes, long ioBytes, int operators) {
        return new CallWork(
                flops, convolutionFlops, weightBytes, Math.max(0, movedBytes - weightBytes), ioBytes, operators);
    }

    /**
     * Seconds of a run of so many rows: {@code o + k·l + max(b·F/(e·P), (W + b·A)/(e'·B)) + b·IO/X}, a roofline
     * (Williams, Waterman, Patterson 2009) with fixed costs.
     */
    public double seconds(NodeKind node, int rows, Precision precision) {
        double compute = rows * atPeak(node.efficiency()) / node.peaks().of(precision);
        double bytes = precision.size() * (weightBytes + rows * activationBytes);
        double memory = over(bytes, node.efficiency().memoryShare() * node.bytesPerSecond());
        double fixed =
                node.efficiency().callSeconds() + operators * node.efficiency().launchSeconds();
        return fixed + Math.max(compute, memory) + over(rows * ioBytes, node.linkBytesPerSecond());
    }

    /** Operations at the peak rate that take as long as those of a row. */
    private double atPeak(Efficiency reached) {
        return (flops - convolutionFlops) / reached.computeShare() + convolutionFlops / reached.convolutionShare();
    }

    private static double over(double bytes, double bytesPerSecond) {
        return bytesPerSecond == 0 ? 0 : bytes / bytesPerSecond;
    }

    /** Most rows a second, in runs of up to so many rows. */
    double rowsPerSecond(NodeKind node, int maxRows, Precision precision) {
        double most = 0;
        for (int rows = 1; rows <= maxRows; rows *= 2) {
            most = Math.max(most, rows / seconds(node, rows, precision));
        }
        return most;
    }
}
