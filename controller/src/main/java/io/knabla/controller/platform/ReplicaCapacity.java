package io.knabla.controller.platform;

import io.knabla.functions.spec.FunctionSpec;

/** Number of requests that the gateway or Knative sends to one replica at once. */
public final class ReplicaCapacity {
    private ReplicaCapacity() {}

    /**
     * A batching replica gathers one batch while another runs, so it needs two batches of requests even if
     * {@code concurrency} is lower; with fewer requests it would always wait for {@code maxDelay}.
     */
    public static int of(FunctionSpec spec) {
        int batch = spec.batching().maxSize();
        int concurrency = spec.scaling().concurrency();
        return batch > 1 ? Math.max(concurrency, 2 * batch) : concurrency;
    }
}
