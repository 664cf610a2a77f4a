package io.knabla.controller.cluster.knative.logs;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * What a container wrote, as the kubelet has it. Fabric8's own way lists and watches the pod first, to wait until it is
 * ready: three calls for one, and nobody here wants to wait.
 *
 * @param query what is wanted of it, as in {@code tailLines=10}
 */
public record PodLog(String namespace, String pod, String container, String query) {
    /** Empty for a pod that is gone. */
    public Optional<String> read(KubernetesClient client) {
        return Optional.ofNullable(client.raw(
                "/api/v1/namespaces/%s/pods/%s/log?container=%s&%s".formatted(namespace, pod, container, query)));
    }
}
