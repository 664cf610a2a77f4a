package io.knabla.controller.knative;

import io.knabla.controller.catalog.FunctionId;
import java.util.function.Consumer;

/**
 * Port that tells how many replicas of a version must run by the utilization that they report, which Knative's
 * autoscaler does not see.
 */
public interface UtilizationNeeds {
    /** No replica reports any. */
    UtilizationNeeds NONE = new UtilizationNeeds() {
        @Override
        public int minimum(FunctionId function, int version) {
            return 0;
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    };

    /** Replicas of the version that must run, as of the last reports; zero where one is enough. */
    int minimum(FunctionId function, int version);

    /**
     * Calls the listener after an answer changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener);
}
