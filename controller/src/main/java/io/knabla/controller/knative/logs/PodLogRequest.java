package io.knabla.controller.knative.logs;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * Request for the log of one container. Fabric8's own log call lists and watches the pod first, to wait until it is
 * ready: three calls instead of one, and no caller wants to wait.
 *
 * @param query parameters of the request, as in {@code tailLines=10}
 */
public record PodLogRequest(String namespace, String pod, String container, String query) {
    /** Empty for a pod that is gone. */
    public Optional<String> read(KubernetesClient client) {
        return Optional.ofNullable(client.raw(
                "/api/v1/namespaces/%s/pods/%s/log?container=%s&%s".formatted(namespace, pod, container, query)));
    }
}
