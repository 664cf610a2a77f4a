package io.knabla.runtime.engine;

import java.time.Duration;

/**
 * How much a replica takes on at once.
 *
 * @param concurrency runs at the same time
 * @param queue requests that may wait for a run; one more is refused
 * @param timeout from arrival to answer
 * @param batchMaxSize most rows joined into one run; 1 = no batching
 * @param batchMaxDelay how long the first of a batch waits for others
 * @param threads threads inside one run
 */
public record EngineSettings(
        int concurrency, int queue, Duration timeout, int batchMaxSize, Duration batchMaxDelay, int threads) {
    public static final EngineSettings DEFAULTS =
            new EngineSettings(4, 100, Duration.ofSeconds(30), 1, Duration.ZERO, 1);

    /** The same with one run at a time. */
    EngineSettings oneAtATime() {
        return new EngineSettings(1, queue, timeout, batchMaxSize, batchMaxDelay, threads);
    }
}
