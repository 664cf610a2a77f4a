package io.knabla.runtime.engine;

import java.util.List;

/**
 * Result of one run. Its tensors are readable only until the consumer that receives them returns.
 *
 * @param outputs the requested outputs, in the model's order
 * @param queueNanos from arrival to the start of the run
 * @param inferNanos the run itself, shared with the other members of a batch
 */
public record RunResult(List<Tensor> outputs, long queueNanos, long inferNanos) {
    /** Adds time before it was queued. */
    RunResult afterWait(long nanos) {
        return new RunResult(outputs, queueNanos + nanos, inferNanos);
    }

    RunResult withOutputs(List<Tensor> others) {
        return new RunResult(others, queueNanos, inferNanos);
    }
}
