package io.knabla.functions.analyze;

import java.util.List;
import java.util.Map;

/**
 * What one call of a model costs, counted from its graph.
 *
 * @param parameters numbers in floating-point initializers
 * @param weightBytes of all initializers
 * @param flops floating-point operations; a multiply-add counts as two
 * @param bytesRead by all operators, weights included
 * @param peakMemoryBytes the most that inputs, outputs and values between operators take at once;
 *     weights not included
 * @param arithmeticIntensity FLOPs per byte moved
 * @param operators per node, in the order of the graph
 * @param byOp the same summed by kind of operator, most FLOPs first
 * @param unknownOps kinds of operator that are not in the table, and how many there are: these
 *     count bytes but no FLOPs
 * @param assumptions made where the graph leaves something open, such as a batch of 1
 */
public record Analysis(
        long parameters,
        long weightBytes,
        long flops,
        long bytesRead,
        long bytesWritten,
        long peakMemoryBytes,
        double arithmeticIntensity,
        Suggestion suggestion,
        Prediction prediction,
        List<OpSummary> byOp,
        List<OperatorCost> operators,
        Map<String, Integer> unknownOps,
        List<String> assumptions) {

    /** @param outputShape of the first output, as text such as {@code [1, 64, 56, 56]} */
    public record OperatorCost(
            String name,
            String op,
            String outputShape,
            long flops,
            long bytesRead,
            long bytesWritten,
            double arithmeticIntensity) {}

    public record OpSummary(String op, int count, long flops, long bytesRead, long bytesWritten) {}

    /**
     * A replica's size that fits.
     *
     * @param pool {@code cpu} or {@code gpu}
     * @param milliCpu thousandths of a core
     * @param memoryBytes of the whole replica process
     */
    public record Suggestion(String pool, long milliCpu, long memoryBytes, String reason) {}

    /**
     * A roofline estimate: every operator takes the longer of computing and moving bytes.
     *
     * @param machine the reference the numbers are for
     */
    public record Prediction(String machine, double seconds) {}

    /** The same for weights that the graph takes as inputs. */
    public Analysis withWeights(long numbers, long bytes) {
        return new Analysis(
                numbers,
                bytes,
                flops,
                bytesRead,
                bytesWritten,
                peakMemoryBytes,
                arithmeticIntensity,
                suggestion,
                prediction,
                byOp,
                operators,
                unknownOps,
                assumptions);
    }

    /** The same without the line for every node, for places where that would be too much. */
    public Analysis summary() {
        return new Analysis(
                parameters,
                weightBytes,
                flops,
                bytesRead,
                bytesWritten,
                peakMemoryBytes,
                arithmeticIntensity,
                suggestion,
                prediction,
                byOp,
                List.of(),
                unknownOps,
                assumptions);
    }
}
