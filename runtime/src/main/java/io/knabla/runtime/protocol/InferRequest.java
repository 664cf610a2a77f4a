package io.knabla.runtime.protocol;

import io.knabla.runtime.engine.Tensor;
import java.util.List;

/**
 * A request that the model's signature allows.
 *
 * @param id the caller's own, echoed; null when there is none
 * @param inputs in the model's order
 * @param outputs in the order asked
 */
public record InferRequest(String id, List<Tensor> inputs, List<Asked> outputs) {
    /**
     * One output that the answer holds.
     *
     * @param index in the model's outputs
     */
    public record Asked(int index, boolean binary) {}

    /** Which of the model's {@code count} outputs must be computed. */
    public boolean[] wanted(int count) {
        boolean[] wanted = new boolean[count];
        for (Asked asked : outputs) {
            wanted[asked.index()] = true;
        }
        return wanted;
    }
}
