package io.knabla.bench.cluster;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.wire.Call;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cluster to benchmark, from the same environment variables as {@code ./knabla test cluster}.
 *
 * @param ingress URL of Knative's ingress
 * @param registry registry that this machine pushes to and the nodes pull from
 * @param base base image, a plain glibc image
 */
public record TestBed(KubernetesClient client, URI ingress, String registry, String base) implements AutoCloseable {
    public static TestBed of(Map<String, String> environment) {
        List<String> missing = new ArrayList<>();
        for (String name : List.of("KUBECONFIG", "INGRESS_URL", "REGISTRY")) {
            if (environment.getOrDefault(name, "").isBlank()) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "%s not set: this benchmark needs the same cluster as ./knabla test cluster, with Knabla on it (./knabla images --push, kubectl apply -k k8s/overlays/local)"
                            .formatted(String.join(", ", missing)));
        }
        String registry = environment.get("REGISTRY");
        return new TestBed(
                connect(),
                URI.create(environment.get("INGRESS_URL")),
                registry,
                environment.getOrDefault("KNABLA_BASE_IMAGE", registry + "/base/cc:12"));
    }

    /** Connects; Fabric8 assumes RSA for a client key without a type, so a failure is retried with EC. */
    private static KubernetesClient connect() {
        Config config = Config.autoConfigure(null);
        try {
            return new KubernetesClientBuilder().withConfig(config).build();
        } catch (KubernetesClientException otherKey) {
            config.setClientKeyAlgo("EC");
            return new KubernetesClientBuilder().withConfig(config).build();
        }
    }

    InetSocketAddress ingressAddress() {
        return new InetSocketAddress(ingress.getHost(), ingress.getPort() < 0 ? 80 : ingress.getPort());
    }

    /** A request through the ingress. */
    public Call json(URI function, String path, BenchModel model) {
        return Call.json(ingressAddress(), function.getAuthority(), path, model);
    }

    public void createNamespace(String name) {
        client.resource(namespace(name)).create();
    }

    /** Deletes the namespace with everything in it; returns before all is gone. */
    public void deleteNamespace(String name) {
        client.resource(namespace(name)).delete();
    }

    private static Namespace namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    @Override
    public void close() {
        client.close();
    }
}
