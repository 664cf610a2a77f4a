package io.knabla.controller.knative.manifest;

import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Architecture;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.Map;
import java.util.Optional;

/**
 * Pod settings common to all replicas of this installation.
 *
 * @param image of replicas; its entry point is {@code java}
 * @param gpus of replicas on the pool gpu; empty where none computes on a GPU
 * @param priorityClass of replicas; empty for the cluster's default
 * @param store access to the store, as the controller has it
 * @param serviceAccountAnnotations such as the role that may read the bucket; empty if replicas need no service account
 * @param architecture of both images
 */
public record PodSettings(
        String image,
        Optional<GpuPods> gpus,
        Optional<String> priorityClass,
        StoreAccess store,
        Map<String, String> serviceAccountAnnotations,
        Architecture architecture) {
    public PodSettings {
        serviceAccountAnnotations = Map.copyOf(serviceAccountAnnotations);
    }

    /** Image of replicas on a pool; empty where no replica can run. */
    Optional<String> image(Pool pool) {
        return switch (pool) {
            case cpu, auto -> Optional.of(image);
            case gpu -> gpus.map(GpuPods::image);
        };
    }
}
