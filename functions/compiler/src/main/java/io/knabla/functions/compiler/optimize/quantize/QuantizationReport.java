package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.Fault;
import java.util.List;

/**
 * Changes of a model by a quantisation: quantised weights, kept operations and sizes.
 *
 * @param weights quantised weights
 * @param kept operations that could have been quantised but were not, and why
 * @param bytesBefore size of all constants before
 */
public record QuantizationReport(List<Weight> weights, List<Fault> kept, long bytesBefore, long bytesAfter) {

    public QuantizationReport {
        weights = List.copyOf(weights);
        kept = List.copyOf(kept);
    }

    /**
     * A quantised weight.
     *
     * @param where the operation that uses it
     * @param error root mean square error, relative to the root mean square of the weight
     */
    public record Weight(String where, String name, long elements, double error) {}
}
