package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.compiler.pool.PoolRule;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Static cost of one call of a model, counted from its graph.
 *
 * @param parameters number of elements in floating-point and quantised initializers
 * @param weightBytes of all initializers
 * @param flops floating-point operations; a multiply-add counts as two
 * @param bytesRead by all operators, weights included
 * @param peakMemoryBytes maximum memory of inputs, outputs and intermediate values at one time, without weights
 * @param arithmeticIntensity FLOPs per byte moved
 * @param operators cost per node, in the order of the graph
 * @param byOp cost per operator type, most FLOPs first
 * @param unknownOps operator types without a cost rule, and their numbers of nodes; these count bytes but no FLOPs
 * @param assumptions assumptions about open sizes, such as a batch of 1
 * @param predictedMillis of one call on {@code machine}, a roofline estimate
 * @param machine the machine of the prediction
 * @param ioBytes bytes of inputs and outputs; 0 in documents written by older versions
 * @param work work of all operators, grouped by arithmetic intensity: enough to predict the time on another machine
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
        List<Work> work,
        long ioBytes) {

    /** Documents written by older versions lack machine and work. */
    public Analysis {
        predictedMillis = machine == null ? 1000 * prediction.seconds() : predictedMillis;
        machine = machine == null ? Machine.ASSUMED : machine;
        work = work == null ? List.of() : List.copyOf(work);
    }

    /**
     * Cost of one node.
     *
     * @param outputShape shape of the first output, as text such as {@code [1, 64, 56, 56]}
     */
    public record OperatorCost(
            String name,
            String op,
            String outputShape,
            long flops,
            long bytesRead,
            long bytesWritten,
            double arithmeticIntensity) {}

    /** Total cost of all nodes of one operator type. */
    public record OpSummary(String op, int count, long flops, long bytesRead, long bytesWritten) {
        /** Those of convolutions, which devices compute at a rate of their own. */
        long convolutionFlops() {
            return op.startsWith("Conv") ? flops : 0;
        }
    }

    /**
     * Suggested size of a replica.
     *
     * @param pool {@code cpu} or {@code gpu}
     * @param milliCpu thousandths of a core
     * @param memoryBytes of the whole replica process
     */
    public record Suggestion(String pool, long milliCpu, long memoryBytes, String reason) {}

    /**
     * A roofline estimate: every operator takes the maximum of compute time and memory time.
     *
     * @param machine description of the machine
     */
    public record Prediction(String machine, double seconds) {}

    /** Work of operators of similar intensity: FLOPs, and bytes read and written. */
    public record Work(long flops, long bytes) {}

    /** The work of a call, by which instance types are compared. */
    public CallWork callWork() {
        return callWork(flops, byOp, SaturatingMath.plus(bytesRead, bytesWritten), weightBytes, ioBytes);
    }

    static CallWork callWork(long flops, Collection<OpSummary> byOp, long movedBytes, long weightBytes, long ioBytes) {
        return CallWork.of(
                flops,
                byOp.stream().mapToLong(OpSummary::convolutionFlops).reduce(0, SaturatingMath::plus),
                movedBytes,
                weightBytes,
                ioBytes,
                byOp.stream().mapToInt(OpSummary::count).sum());
    }

    /** Predicts for another machine and an unknown rate of calls; returns this analysis if it has no work. */
    public Analysis forMachine(Machine other) {
        return forMachine(other, PoolRule.UNKNOWN_RATE);
    }

    /** The same for a function that is called so often. */
    public Analysis forMachine(Machine other, double callsPerSecond) {
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
                ReplicaSizing.suggest(other, seconds, callWork(), peakMemoryBytes, callsPerSecond),
                new Prediction(other.text(), seconds),
                byOp,
                operators,
                unknownOps,
                assumptions,
                1000 * seconds,
                other,
                work,
                ioBytes);
    }

    /** Returns a copy with these weights, for graphs that take weights as inputs. */
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
                work,
                ioBytes);
    }

    /** Returns a copy without the cost per node, which can be long. */
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
                work,
                ioBytes);
    }
}
