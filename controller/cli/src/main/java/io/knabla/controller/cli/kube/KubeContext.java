package io.knabla.controller.cli.kube;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.knative.client.ClientKeys;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Open connection to the cluster of a kubeconfig context: its client, Functions and control API. The context names a
 * cluster, a namespace and credentials.
 */
public final class KubeContext implements AutoCloseable {
    private final String name;
    private final KubernetesClient client;

    private KubeContext(String name, KubernetesClient client) {
        this.name = name;
        this.client = client;
    }

    public static KubeContext open(String name) {
        Config config = config(name);
        return new KubeContext(
                name,
                new KubernetesClientBuilder()
                        .withHttpClientFactory(new JdkHttpClientFactory())
                        .withConfig(config)
                        .build());
    }

    private static Config config(String name) {
        Config found;
        try {
            found = Config.autoConfigure(name);
        } catch (RuntimeException unreadable) {
            // The parser's own exceptions come through, with messages of many lines.
            throw CliFailure.because(
                    unreadable,
                    "cannot read the kubeconfig %s: %s. Correct the file, or name another in" + " KUBECONFIG.",
                    files(),
                    ApiServerErrors.cause(unreadable).replaceAll("\\s+", " ").strip());
        }
        List<String> names = new ArrayList<>();
        if (found.getContexts() != null) {
            found.getContexts().stream().map(NamedContext::getName).sorted().forEach(names::add);
        }
        if (!names.contains(name)) {
            throw unknown(name, names);
        }
        mustBeAddress(name, found.getMasterUrl());
        // A user waits: one retry is enough to find that nothing answers.
        return new ConfigBuilder(ClientKeys.withKeyAlgorithm(found))
                .withRequestRetryBackoffLimit(1)
                .withConnectionTimeout(10_000)
                .build();
    }

    private static void mustBeAddress(String name, String server) {
        try {
            if (URI.create(server).getHost() != null) {
                return;
            }
        } catch (IllegalArgumentException malformed) {
            // reported below
        }
        throw CliFailure.usageError(
                "the cluster of context '%s' has the server '%s' in %s, which is no URL; write one such as"
                        + " https://HOST:6443 there.",
                name, server, files());
    }

    private static CliFailure unknown(String name, List<String> names) {
        return names.isEmpty()
                ? CliFailure.usageError(
                        "there is no context '%s': no kubeconfig has any, searched %s. Name one in KUBECONFIG.",
                        name, files())
                : CliFailure.usageError(
                        "there is no context '%s' in %s; there %s %s. Correct --context, or name"
                                + " another kubeconfig in KUBECONFIG.",
                        name, files(), names.size() == 1 ? "is" : "are", String.join(", ", names));
    }

    private static String files() {
        return String.join(" and ", Config.getKubeconfigFilenames());
    }

    public String name() {
        return name;
    }

    /** Namespace of the context, as {@code kubectl} uses it. */
    public String namespace() {
        return Optional.ofNullable(client.getConfiguration().getNamespace()).orElse("default");
    }

    public FunctionObjects functions() {
        return new FunctionObjects(client, errors());
    }

    /** The controller's control API; open until this context is closed. */
    public ControllerConnection controller() {
        return ControllerConnection.open(client, name, errors());
    }

    public KubernetesClient client() {
        return client;
    }

    private ApiServerErrors errors() {
        return new ApiServerErrors(name, client.getConfiguration().getMasterUrl());
    }

    @Override
    public void close() {
        client.close();
    }
}
