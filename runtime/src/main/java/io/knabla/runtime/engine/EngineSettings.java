package io.knabla.runtime.engine;

import java.time.Duration;

/**
 * Limits of one engine: concurrency, queue, timeout, batching and threads.
 *
 * @param concurrency number of concurrent runs
 * @param queue number of requests that may wait for a run; further ones are rejected
 * @param timeout time from arrival to result
 * @param batchMaxSize largest number of rows joined into one run; 1 = no batching
 * @param batchMaxDelay how long the first request of a batch waits for more
 * @param threads engine threads inside one run
 * @param device where it computes
 */
public record EngineSettings(
        int concurrency,
        int queue,
        Duration timeout,
        int batchMaxSize,
        Duration batchMaxDelay,
        int threads,
        Device device) {
    public static final EngineSettings DEFAULTS =
            new EngineSettings(4, 100, Duration.ofSeconds(30), 1, Duration.ZERO, 1);

    /** On the CPU. */
    public EngineSettings(
            int concurrency, int queue, Duration timeout, int batchMaxSize, Duration batchMaxDelay, int threads) {
        this(concurrency, queue, timeout, batchMaxSize, batchMaxDelay, threads, Device.CPU);
    }

    /** A copy with a concurrency of 1. */
    EngineSettings oneAtATime() {
        return new EngineSettings(1, queue, timeout, batchMaxSize, batchMaxDelay, threads, device);
    }

    /**
     * A copy with the concurrency that the device allows: on a GPU one run at a time, since concurrent runs of one
     * session can overwrite each other's intermediate values there (issue 32342 of ONNX Runtime).
     */
    EngineSettings asDeviceAllows() {
        return device.isCpu() ? this : oneAtATime();
    }
}
