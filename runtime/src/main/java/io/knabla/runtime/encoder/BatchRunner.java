package io.knabla.runtime.encoder;

import io.knabla.runtime.engine.TokenBatch;

/** Computes one batch at a time, on one thread. */
public interface BatchRunner extends AutoCloseable {
    /**
     * One row of numbers for each text, one after the other.
     *
     * @throws io.knabla.runtime.engine.EngineException if there are none
     */
    float[] run(TokenBatch batch);

    @Override
    void close();
}
