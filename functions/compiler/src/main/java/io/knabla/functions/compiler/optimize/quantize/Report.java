package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.Fault;
import java.util.List;

/**
 * What was done to a model.
 *
 * @param weights that became integers
 * @param kept operations that could have been quantised and were not, and why
 * @param bytesBefore of all constants
 */
public record Report(List<Weight> weights, List<Fault> kept, long bytesBefore, long bytesAfter) {

    public Report {
        weights = List.copyOf(weights);
        kept = List.copyOf(kept);
    }

    /**
     * @param where the operation that uses it
     * @param error root of the mean squared change over the root mean square of the weight
     */
    public record Weight(String where, String name, long elements, double error) {}
}
