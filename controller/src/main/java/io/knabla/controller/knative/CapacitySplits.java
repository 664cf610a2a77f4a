package io.knabla.controller.knative;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.spot.live.CapacitySplit;
import java.util.Map;
import java.util.function.Consumer;

/** Port of the spot policies: how they divide the replicas of functions between spot and on-demand capacity. */
public interface CapacitySplits {
    /** No policy decides. */
    CapacitySplits NONE = new CapacitySplits() {
        @Override
        public Map<Integer, CapacitySplit> of(FunctionId function) {
            return Map.of();
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    };

    /** Splits by version; none for a version whose replicas Knative's autoscaler and the Route divide well alone. */
    Map<Integer, CapacitySplit> of(FunctionId function);

    /**
     * Calls the listener after the answer changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener);
}
