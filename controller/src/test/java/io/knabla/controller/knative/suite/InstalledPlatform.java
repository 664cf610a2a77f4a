package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.knabla.controller.cli.kube.ControllerConnection;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.knative.calls.ApiCall;
import io.knabla.controller.knative.calls.Rights;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The platform as a person installs it, from nothing: images pushed, {@code kubectl apply -k k8s/overlays/local}; one
 * installation for all classes of a run, gone again after the last, but for the CRD. To be registered after the
 * {@link TestCluster}. A class sets back what it sets.
 */
public final class InstalledPlatform implements BeforeAllCallback, AfterAllCallback {
    private static final String NAMESPACE = "knabla-system";
    private static final Path OVERLAY = TestCluster.ROOT.resolve("k8s/overlays/local");
    private static final Set<ApiCall> USED = ConcurrentHashMap.newKeySet();

    /** Lines of the log that have failed a class: one refusal is not the failure of all that follow. */
    private static final Set<String> REFUSED = ConcurrentHashMap.newKeySet();

    private static final Path SETTINGS = TestCluster.ROOT.resolve("k8s/knative-settings");

    private final TestCluster cluster;
    private final Path home;
    private String context;

    public InstalledPlatform(TestCluster cluster) {
        this.cluster = cluster;
        try {
            this.home = Files.createTempDirectory("knabla-cluster-test");
        } catch (IOException full) {
            throw new AssertionError(full);
        }
    }

    /** @param names content of {@link PushedReplica#NAMES} as it was */
    private record Installation(TestCluster cluster, String names) implements AutoCloseable {
        static Installation make() {
            var cluster = new TestCluster();
            try {
                var made = new Installation(cluster, Files.readString(PushedReplica.NAMES));
                made.uninstall();
                Files.writeString(PushedReplica.NAMES, PushedReplica.names());
                made.install();
                return made;
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        private void install() {
            long began = System.nanoTime();
            setKnative();
            cluster.kubectl("apply", "-k", OVERLAY.toString()).good();
            rollout(cluster, "knabla-s3");
            rollout(cluster, "knabla-controller");
            System.out.printf("cluster test: platform installed and ready in %.0f s%n", seconds(began));
        }

        /** They stay: all that they do is to let more of a pod through. */
        private void setKnative() {
            cluster.kubectl("apply", "--server-side", "--field-manager=knabla-settings", "-k", SETTINGS.toString())
                    .good();
        }

        private void uninstall() {
            for (HasMetadata object : installed(cluster)) {
                // The CRD's end would be that of every Function in the cluster.
                if (!object.getKind().equals("CustomResourceDefinition")) {
                    cluster.client().resource(object).delete();
                }
            }
            TestCluster.await()
                    .until(() ->
                            cluster.client().namespaces().withName(NAMESPACE).get() == null);
        }

        @Override
        public void close() throws IOException {
            uninstall();
            Files.writeString(PushedReplica.NAMES, names);
            cluster.client().close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        context = cluster.kubectl("config", "current-context").good().out().strip();
        test.getRoot()
                .getStore(Namespace.GLOBAL)
                .computeIfAbsent(Installation.class, _ -> Installation.make(), Installation.class);
    }

    /** Ends the installation of earlier classes, if there is one. */
    static void uninstall(ExtensionContext test) throws IOException {
        Installation installed =
                test.getRoot().getStore(Namespace.GLOBAL).remove(Installation.class, Installation.class);
        if (installed != null) {
            installed.close();
        }
    }

    @Override
    public void afterAll(ExtensionContext test) throws IOException {
        nothingWasRefused();
    }

    private static void rollout(TestCluster cluster, String deployment) {
        cluster.kubectl("-n", NAMESPACE, "rollout", "status", "deployment/" + deployment, "--timeout=300s")
                .good();
    }

    /** By the API server; to be called before each end of a controller, whose calls are counted in its process. */
    private void nothingWasRefused() throws IOException {
        rights().areEnough(installed());
        assertThat(cluster.kubectl("-n", NAMESPACE, "logs", "deployment/knabla-controller")
                        .good()
                        .out()
                        .lines()
                        // Kubernetes also calls forbidden what a quota, or the end of a namespace, does not allow.
                        .filter(line -> line.contains("forbidden: User"))
                        .filter(REFUSED::add))
                .isEmpty();
    }

    /** As this controller, and those before it, have used them. */
    ControllerRights rights() throws IOException {
        USED.addAll(Rights.used(send("/q/metrics", request -> request)));
        return new ControllerRights(cluster.client(), Set.copyOf(USED));
    }

    /** What {@code kubectl apply} got to apply. */
    List<HasMetadata> installed() {
        return installed(cluster);
    }

    private static List<HasMetadata> installed(TestCluster cluster) {
        String yaml = cluster.kubectl("kustomize", OVERLAY.toString()).good().out();
        return cluster.client()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    /** Starts the controller again with a setting. */
    void set(String variable, String value) throws IOException {
        change(variable + "=" + value);
    }

    /** Starts the controller again without it. */
    void unset(String variable) throws IOException {
        change(variable + "-");
    }

    /** Starts the controller again once for several settings: {@code NAME=value}, or {@code NAME-} for none. */
    void change(String... settings) throws IOException {
        nothingWasRefused();
        List<String> command = new ArrayList<>(List.of("-n", NAMESPACE, "set", "env", "deployment/knabla-controller"));
        command.addAll(List.of(settings));
        cluster.kubectl(command.toArray(String[]::new)).good();
        rollout(cluster, "knabla-controller");
    }

    /** What the controller's API answers, through a forwarded port. */
    JsonNode get(String path) throws IOException {
        return Functions.JSON.readTree(send(path, request -> request));
    }

    /** Gives the controller a sample's model, as the command line does before it applies the function. */
    void upload(String sample) throws IOException {
        Path model = Functions.model(sample);
        send("/api/v1/models/" + Functions.digest(model), request -> request.PUT(body(model)));
    }

    private static HttpRequest.BodyPublisher body(Path file) {
        try {
            return BodyPublishers.ofFile(file);
        } catch (FileNotFoundException missing) {
            throw new AssertionError(missing);
        }
    }

    private String send(String path, UnaryOperator<HttpRequest.Builder> how) throws IOException {
        try (KubeContext opened = KubeContext.open(context);
                HttpClient http = HttpClient.newHttpClient()) {
            ControllerConnection door = opened.controller();
            HttpRequest request = how.apply(HttpRequest.newBuilder(
                                    door.address().resolve(path))
                            .header("Authorization", "Bearer " + door.token().orElseThrow()))
                    .build();
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
            return answer.body();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    /** The command line, by the cluster's context and its ingress. */
    public Ran knabla(String... arguments) {
        return run(
                List.of("--context", context),
                Map.of("KNABLA_INGRESS", TestCluster.ingress().toString()),
                arguments);
    }

    /** The same for somebody who is no administrator. */
    Ran knablaFor(Developer developer, String... arguments) {
        return run(
                List.of("--context", context, "-n", developer.namespace()),
                Map.of(
                        "KNABLA_INGRESS", TestCluster.ingress().toString(),
                        "KUBECONFIG", developer.kubeconfig().toString()),
                arguments);
    }

    /** The same as to any server, through a forwarded port: the controller acts, not the person. */
    public Ran knablaByServer(String... arguments) {
        return withServer(server -> run(List.of(), server, arguments));
    }

    /** Gives a command {@code KNABLA_SERVER} and {@code KNABLA_TOKEN} of the controller, while a port is forwarded. */
    Ran withServer(Function<Map<String, String>, Ran> command) {
        try (KubeContext opened = KubeContext.open(context)) {
            ControllerConnection door = opened.controller();
            return command.apply(Map.of(
                    "KNABLA_SERVER",
                    door.address().toString(),
                    "KNABLA_TOKEN",
                    door.token().orElseThrow()));
        }
    }

    private Ran run(List<String> where, Map<String, String> environment, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(TestCluster.ROOT.resolve("knabla").toString()));
        command.addAll(List.of(arguments));
        command.addAll(where);
        Map<String, String> all = new HashMap<>(environment);
        all.put("KNABLA_HOME", home.toString());
        return Ran.of(command, all, "");
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
