package io.knabla.controller.knative.suite;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.knabla.controller.knative.client.ClientKeys;
import io.knabla.controller.knative.resource.FunctionObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The cluster that {@code KUBECONFIG}, {@code INGRESS_URL} and {@code REGISTRY} name, for one test class:
 * {@code @RegisterExtension static final TestCluster cluster = new TestCluster();} It has our CRD; namespaces that a
 * class makes go when it ends.
 */
public final class TestCluster extends FailureReport implements BeforeAllCallback, AfterAllCallback {
    /** The checkout that is tested. */
    public static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Longer than the kubelet ever pauses between two starts of a container, which is five minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    /** Label of the namespaces of tests. */
    private static final String TEST = "knabla.dev/test";

    private final List<String> namespaces = new ArrayList<>();
    private KubernetesClient client;

    @Override
    public void beforeAll(ExtensionContext context) {
        client();
        Path crd = ROOT.resolve("k8s/base/crd");
        if (Files.exists(crd)) {
            kubectl("apply", "--server-side", "--force-conflicts", "-k", crd.toString())
                    .good();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (client != null) {
            // First, since Kubernetes waits for a namespace's pods before it deletes anything else there.
            namespaces.forEach(name ->
                    client.resources(FunctionObject.class).inNamespace(name).delete());
            await().untilAsserted(this::functionsGone);
            namespaces.forEach(this::delete);
            client.close();
            client = null;
        }
    }

    /**
     * Kubernetes looks at the namespace 5 s after it is deleted. If a pod is left then, it looks again only after half
     * of the pods' longest grace period, which is minutes. Pods that are deleted before the namespace may be replaced.
     */
    private void delete(String namespace) {
        client.namespaces().withName(namespace).delete();
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
    }

    private void functionsGone() {
        for (String name : namespaces) {
            letGo(name);
            var left = client.resources(FunctionObject.class).inNamespace(name).list();
            if (!left.getItems().isEmpty()) {
                throw new AssertionError("still there: " + left.getItems());
            }
        }
    }

    /** Waits until no namespace of an earlier class is left, and so none of its pods. */
    void awaitEarlierNamespaces() {
        await().until(() -> client().namespaces().withLabel(TEST).list().getItems().stream()
                .allMatch(
                        namespace -> namespaces.contains(namespace.getMetadata().getName())));
    }

    /**
     * The controller that answers a finalizer may have ended with its class; the namespace must go. To a function that
     * is not yet marked for deletion a controller would add the finalizer again, which fails when it has gone
     * meanwhile.
     */
    private void letGo(String namespace) {
        client.resources(FunctionObject.class).inNamespace(namespace).list().getItems().stream()
                .filter(HasMetadata::isMarkedForDeletion)
                .forEach(function -> client.resource(function).edit(TestCluster::withoutFinalizers));
    }

    private static FunctionObject withoutFinalizers(FunctionObject function) {
        function.getMetadata().setFinalizers(List.of());
        return function;
    }

    public KubernetesClient client() {
        if (client == null) {
            client = new KubernetesClientBuilder()
                    .withHttpClientFactory(new JdkHttpClientFactory())
                    .withConfig(ClientKeys.withKeyAlgorithm(config()))
                    .build();
        }
        return client;
    }

    private static Config config() {
        try {
            return Config.fromKubeconfig(Files.readString(kubeconfig()));
        } catch (IOException unreadable) {
            throw new AssertionError("KUBECONFIG names no file that can be read", unreadable);
        }
    }

    public static Path kubeconfig() {
        return Path.of(address("KUBECONFIG"));
    }

    /** Where Knative's data path answers; the host says which function is meant. */
    public static URI ingress() {
        return URI.create(address("INGRESS_URL"));
    }

    /** Where images are pushed and the nodes pull them from, as in {@code 127.0.0.1:5000}. */
    public static String registry() {
        return address("REGISTRY");
    }

    private static String address(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            throw new AssertionError(variable + " is not set: run this by ./knabla test cluster, which says how");
        }
        return value;
    }

    /** A namespace of its own that is deleted after the class, with all that is in it. */
    public String namespace(String prefix) {
        String name = prefix + "-" + UUID.randomUUID().toString().substring(0, 6);
        client().namespaces().resource(labelled(name)).create();
        namespaces.add(name);
        return name;
    }

    private static Namespace labelled(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(TEST, "true"))
                .endMetadata()
                .build();
    }

    /** Waits for what becomes so by and by; a condition says {@code untilAsserted}. */
    public static ConditionFactory await() {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(250))
                .ignoreExceptions();
    }

    @Override
    public Ran kubectl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        return Ran.of(command, Map.of(), "");
    }

    /** {@code kubectl apply -f -} of one or more documents. */
    public Ran apply(String yaml) {
        return Ran.of(List.of("kubectl", "apply", "-f", "-"), Map.of(), yaml);
    }
}
