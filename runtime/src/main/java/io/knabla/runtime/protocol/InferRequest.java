package io.knabla.runtime.protocol;

import io.knabla.runtime.engine.Tensor;
import java.util.List;

/**
 * A decoded {@code infer} request, validated against the model's signature.
 *
 * @param id request id, echoed in the response; null for none
 * @param inputs in the model's order
 * @param outputs in the order requested
 */
public record InferRequest(String id, List<Tensor> inputs, List<RequestedOutput> outputs) {
    /**
     * One requested output.
     *
     * @param index index into the model's outputs
     */
    public record RequestedOutput(int index, boolean binary) {}

    /** For each of the model's {@code count} outputs, whether it must be computed. */
    public boolean[] wanted(int count) {
        boolean[] wanted = new boolean[count];
        for (RequestedOutput asked : outputs) {
            wanted[asked.index()] = true;
        }
        return wanted;
    }
}
