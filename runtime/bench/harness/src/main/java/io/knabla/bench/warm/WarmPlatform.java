package io.knabla.bench.warm;

import io.knabla.bench.wire.Call;

/** Runs functions of one model for the benchmark. */
interface WarmPlatform extends AutoCloseable {
    /**
     * Deploys a function and returns when it can be called.
     *
     * @param spec more fields of {@code spec}, as JSON without braces
     */
    void deploy(String name, String spec);

    /** A request to a function. */
    Call json(String name);

    /** The platform's metrics as Prometheus text. */
    String metrics();

    @Override
    void close();
}
