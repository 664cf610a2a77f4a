package io.knabla.controller.knative.reconcile;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.CapacitySplits;
import io.knabla.controller.knative.InterruptionNeeds;
import io.knabla.controller.knative.UtilizationNeeds;
import io.knabla.controller.knative.manifest.ClusterCapabilities;
import io.knabla.controller.platform.KeepWarm;
import java.util.List;
import java.util.function.Consumer;

/**
 * What keep-warm, interruptions, the utilization of replicas and the spot policies ask of the rollouts of functions.
 */
record RolloutNeeds(
        KeepWarm keepWarm, InterruptionNeeds interruptions, UtilizationNeeds utilization, CapacitySplits splits) {
    static final RolloutNeeds NONE =
            new RolloutNeeds(KeepWarm.NONE, InterruptionNeeds.NONE, UtilizationNeeds.NONE, CapacitySplits.NONE);

    /** @param running replicas of the function that run now */
    int minimum(FunctionId function, int version, int running) {
        int kept = keepWarm.of(function).minimum(running);
        int interrupted = interruptions.minimum(function, version);
        return Math.max(Math.max(kept, interrupted), utilization.minimum(function, version));
    }

    /** What the cluster offers to the function now. */
    ClusterCapabilities capabilities(ClusterCapabilities cluster, FunctionId function) {
        return cluster.with(interruptions.spotRoom(function), splits.of(function));
    }

    /**
     * Calls the listener after an answer changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener) {
        List<Runnable> removals = List.of(
                keepWarm.onChange(listener),
                interruptions.onChange(listener),
                utilization.onChange(listener),
                splits.onChange(listener));
        return () -> removals.forEach(Runnable::run);
    }
}
