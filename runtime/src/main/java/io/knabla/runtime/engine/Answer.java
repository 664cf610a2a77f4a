package io.knabla.runtime.engine;

import java.util.List;

/**
 * What a run gave; readable only until the consumer it was handed to returns.
 *
 * @param outputs the wanted ones, in the model's order
 * @param queueNanos from arrival to the start of the run
 * @param inferNanos the run itself, shared with the other members of a batch
 */
public record Answer(List<Tensor> outputs, long queueNanos, long inferNanos) {
    Answer with(List<Tensor> others) {
        return new Answer(others, queueNanos, inferNanos);
    }
}
