package io.knabla.controller.cluster.knative.manifest;

import io.knabla.controller.StoreAccess;
import io.knabla.controller.cluster.knative.Architecture;
import java.util.Map;
import java.util.Optional;

/**
 * What is the same for all replicas of this installation.
 *
 * @param image of replicas; {@code java} is its entry point
 * @param gpuImage for the pool gpu; empty for the same
 * @param priorityClass of replicas; empty for the cluster's default
 * @param store as the controller reaches it
 * @param serviceAccountAnnotations such as the role that may read the bucket; empty where replicas need no service
 *     account of their own
 * @param architecture of both images
 */
public record PodSettings(
        String image,
        Optional<String> gpuImage,
        Optional<String> priorityClass,
        StoreAccess store,
        Map<String, String> serviceAccountAnnotations,
        Architecture architecture) {
    public PodSettings {
        serviceAccountAnnotations = Map.copyOf(serviceAccountAnnotations);
    }
}
