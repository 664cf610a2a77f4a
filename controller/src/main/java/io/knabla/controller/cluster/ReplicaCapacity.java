package io.knabla.controller.cluster;

import io.knabla.functions.spec.FunctionSpec;

/** How many requests are handed to one replica at once, by the gateway or by Knative. */
public final class ReplicaCapacity {
    private ReplicaCapacity() {}

    /**
     * A replica that joins requests needs one batch on its way while another is gathered, whatever {@code concurrency}
     * says; with fewer it would wait for {@code maxDelay} in vain.
     */
    public static int of(FunctionSpec spec) {
        int batch = spec.batching().maxSize();
        int concurrency = spec.scaling().concurrency();
        return batch > 1 ? Math.max(concurrency, 2 * batch) : concurrency;
    }
}
