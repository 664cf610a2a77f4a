package io.knabla.bench.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
record TestBed(KubernetesClient client, URI ingress, String registry, String base) implements AutoCloseable {
    static TestBed of(Map<String, String> environment) {
        List<String> missing = new ArrayList<>();
        for (String name : List.of("KUBECONFIG", "INGRESS_URL", "REGISTRY")) {
            if (environment.getOrDefault(name, "").isBlank()) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "%s not set: bench cluster needs the same cluster as ./knabla test cluster, with Knabla on it (./knabla images --push, kubectl apply -k k8s/overlays/local)"
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

    @Override
    public void close() {
        client.close();
    }
}
