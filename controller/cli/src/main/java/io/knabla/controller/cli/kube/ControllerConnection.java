package io.knabla.controller.cli.kube;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceList;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.cli.CliFailure;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Connection to the control API of a controller in a cluster: a port-forward through the API server, and the token.
 *
 * @param address local end of the port-forward
 * @param token of the controller; empty if the user may not read its Secret
 */
public record ControllerConnection(URI address, Optional<String> token) {
    private static final String NAMESPACE = "knabla-system";
    private static final String NAME = "knabla-controller";
    private static final String TOKEN = "knabla-token";

    static ControllerConnection open(KubernetesClient client, String context, ApiServerErrors troubles) {
        Service service = service(client, context, troubles);
        String namespace = service.getMetadata().getNamespace();
        Pod pod = pod(client, service, context, troubles);
        int forwarded = ControllerPortForward.open(client, pod, port(service, pod), troubles);
        return new ControllerConnection(
                URI.create("http://127.0.0.1:" + forwarded), token(client, namespace, troubles));
    }

    /** Searches the usual namespace first: a Service in another one cannot pose as the controller's. */
    private static Service service(KubernetesClient client, String context, ApiServerErrors troubles) {
        List<Service> usual = troubles.call(
                "look for the controller's Service in %s (Role knabla-user there allows it)".formatted(NAMESPACE),
                () -> labelled(client.services().inNamespace(NAMESPACE)));
        List<Service> found = usual.isEmpty()
                ? troubles.call(
                        "look for the controller's Service in all namespaces (there is none in %s)"
                                .formatted(NAMESPACE),
                        () -> labelled(client.services().inAnyNamespace()))
                : usual;
        return found.stream()
                .min(Comparator.comparing(one -> one.getMetadata().getNamespace()))
                .orElseThrow(() -> CliFailure.failed(
                        "there is no Knabla controller in the cluster of context"
                                + " '%s' (looked for a Service with the label"
                                + " app.kubernetes.io/name=%s). Install one: kubectl"
                                + " apply -k k8s/overlays/local (or aws) --context %s",
                        context, NAME, context));
    }

    private static List<Service> labelled(FilterWatchListDeletable<Service, ServiceList, ?> services) {
        return services.withLabel("app.kubernetes.io/name", NAME).list().getItems();
    }

    private static Pod pod(KubernetesClient client, Service service, String context, ApiServerErrors troubles) {
        String namespace = service.getMetadata().getNamespace();
        return troubles
                .call(
                        "look for the controller's pods in " + namespace,
                        () -> client.pods()
                                .inNamespace(namespace)
                                .withLabels(service.getSpec().getSelector())
                                .list()
                                .getItems())
                .stream()
                .filter(Readiness::isPodReady)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .findFirst()
                .orElseThrow(() -> CliFailure.failed(
                        "the Knabla controller in namespace %s has no pod that is"
                                + " ready. See why: kubectl -n %s get pods,events"
                                + " --context %s",
                        namespace, namespace, context));
    }

    /** The pod's port behind the first port of the Service. */
    private static int port(Service service, Pod pod) {
        ServicePort port = service.getSpec().getPorts().getFirst();
        IntOrString target = port.getTargetPort();
        if (target == null) {
            return port.getPort();
        }
        return target.getIntVal() != null
                ? target.getIntVal()
                : pod.getSpec().getContainers().stream()
                        .flatMap(container -> container.getPorts().stream())
                        .filter(named -> target.getStrVal().equals(named.getName()))
                        .mapToInt(named -> named.getContainerPort())
                        .findFirst()
                        .orElse(port.getPort());
    }

    /** No permission to read the Secret is no failure: the user may know the token anyway. */
    private static Optional<String> token(KubernetesClient client, String namespace, ApiServerErrors troubles) {
        try {
            Secret secret =
                    client.secrets().inNamespace(namespace).withName(TOKEN).get();
            return Optional.ofNullable(secret)
                    .map(Secret::getData)
                    .map(data -> data.get("token"))
                    .map(text -> Base64.getDecoder().decode(text))
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == 403) {
                return Optional.empty();
            }
            throw troubles.toFailure("read the controller's token in " + namespace, refused);
        }
    }
}
