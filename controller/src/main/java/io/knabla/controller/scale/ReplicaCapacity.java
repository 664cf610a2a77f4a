package io.knabla.controller.scale;

import io.knabla.functions.spec.FunctionSpec;

/** How many requests the gateway hands to one replica at once. */
public final class ReplicaCapacity {
    private ReplicaCapacity() {}

    /**
     * A replica that joins requests needs one batch on its way while another is gathered, whatever
     * {@code concurrency} says; with fewer it would wait for {@code maxDelay} in vain.
     */
    public static int of(FunctionSpec spec) {
        int batch = spec.batching().maxSize();
        int concurrency = spec.scaling().concurrency();
        return batch > 1 ? Math.max(concurrency, 2 * batch) : concurrency;
    }
}
