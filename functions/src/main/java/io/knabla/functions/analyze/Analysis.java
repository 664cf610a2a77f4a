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
 * @param peakMemoryBytes the most that inputs, outputs and values between operators take at once; weights not included
 * @param arithmeticIntensity FLOPs per byte moved
 * @param operators per node, in the order of the graph
 * @param byOp the same summed by kind of operator, most FLOPs first
 * @param unknownOps kinds of operator that are not in the table, and how many there are: these count bytes but no FLOPs
 * @param assumptions made where the graph leaves something open, such as a batch of 1
 * @param predictedMillis of one call on {@code machine}, a roofline estimate
 * @param machine that the prediction is for
 * @param work of all operators, those of about the same intensity summed: enough to predict the time on another machine
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
        List<String> assumptions,
        double predictedMillis,
        Machine machine,
        List<Work> work) {

    /** One that was written before there were predictions for other machines lacks them. */
    public Analysis {
        predictedMillis = machine == null ? 1000 * prediction.seconds() : predictedMillis;
        machine = machine == null ? Machine.ASSUMED : machine;
        work = work == null ? List.of() : List.copyOf(work);
    }

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
     * @param machine the one the numbers are for, in words
     */
    public record Prediction(String machine, double seconds) {}

    /** Of operators that are alike: FLOPs, and bytes read and written. */
    public record Work(long flops, long bytes) {}

    /** The same for another machine; unchanged where it is not known how the work is made up. */
    public Analysis on(Machine other) {
        if (work.isEmpty()) {
            return this;
        }
        double seconds = other.seconds(work);
        return new Analysis(
                parameters,
                weightBytes,
                flops,
                bytesRead,
                bytesWritten,
                peakMemoryBytes,
                arithmeticIntensity,
                Sizing.suggest(other, seconds, arithmeticIntensity, weightBytes, peakMemoryBytes),
                new Prediction(other.text(), seconds),
                byOp,
                operators,
                unknownOps,
                assumptions,
                1000 * seconds,
                other,
                work);
    }

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
                assumptions,
                predictedMillis,
                machine,
                work);
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
                assumptions,
                predictedMillis,
                machine,
                work);
    }
}
