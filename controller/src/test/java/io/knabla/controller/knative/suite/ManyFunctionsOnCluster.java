package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A controller on this machine, and more functions than anyone has yet, applied at once. No node runs anything for
 * them: Knative's own controller is put to sleep meanwhile, so that what is measured is ours. Part of {@code ./knabla
 * test thorough} where a cluster is named.
 */
@ExtendWith(NoInstalledPlatform.class)
class ManyFunctionsOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    /** How many: 2000 take eight minutes on two cores, 100 are enough to tell a hot loop. */
    private static final int COUNT = Integer.parseInt(System.getenv().getOrDefault("KNABLA_TEST_FUNCTIONS", "2000"));

    private static final int APPLIERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final double MOST_CALLS = 10;
    private static final int MORE_MINUTES = 3;
    private static final String LOOKS = "knabla_reconcile_seconds";
    private static final String REQUESTS = "knabla_kubernetes_requests_total";

    @TempDir
    Path folder;

    private S3Server server;
    private PlatformProcess platform;
    private KnativeAsleep knative;
    private String namespace;
    private Digest model;

    @BeforeEach
    void start() throws Exception {
        namespace = cluster.namespace("many");
        knative = KnativeAsleep.begin(cluster);
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        Map<String, String> settings = new HashMap<>(server.environment());
        settings.put("KNABLA_STORE", "s3://" + server.newBucket() + "/many");
        model = packageOnce(settings);
        settings.put("KUBECONFIG", TestCluster.kubeconfig().toString());
        settings.put("KNABLA_CLUSTER_KIND", "Knative");
        settings.put("KNABLA_CLUSTER_NAMESPACES", namespace);
        settings.put("KNABLA_CLUSTER_IMAGE", TestCluster.registry() + "/knabla/replica:none");
        platform = PlatformProcess.start(Files.createDirectory(folder.resolve("home")), settings);
    }

    @AfterEach
    void stop() throws IOException {
        try (var _ = knative;
                var _ = server;
                var _ = platform) {
            // closed in the reverse order
        }
    }

    @Test
    void thousandsAppliedAtOnceAreReconciledAndThenLeftAlone() throws Exception {
        long began = System.nanoTime();
        apply();
        double applied = seconds(began);
        await(() -> configured() == COUNT);
        double configured = seconds(began);
        Process memory = Process.of(platform.process());

        settle();
        Metrics before = metrics();
        before.series(REQUESTS).forEach(calls -> System.out.println("cluster test: API calls " + calls));
        double calls = idleCalls();
        // Watches are opened anew every few minutes, several of them perhaps within this one.
        for (int again = 0; again < MORE_MINUTES && perHundred(calls) >= MOST_CALLS; again++) {
            calls = idleCalls();
        }
        Metrics after = metrics();
        System.out.printf(
                "cluster test: %d functions: applied in %.0f s, all configured after %.0f s;"
                        + " reconcile p50 %.0f ms, p99 %.0f ms of %.0f;"
                        + " controller RSS %d MiB (peak %d), heap %.0f MiB;"
                        + " %.1f API calls a minute when idle, %.2f per 100 functions%n",
                COUNT,
                applied,
                configured,
                before.quantile(LOOKS, 0.5) * 1000,
                before.quantile(LOOKS, 0.99) * 1000,
                before.sum(LOOKS + "_count"),
                memory.residentMebibytes(),
                memory.peakMebibytes(),
                after.heapMebibytes(),
                calls,
                perHundred(calls));
        assertThat(perHundred(calls))
                .as("API calls a minute per 100 idle functions")
                .isLessThan(MOST_CALLS);
        deleteAll();
    }

    private static double perHundred(double calls) {
        return calls * 100 / COUNT;
    }

    /** Those of a minute. */
    private double idleCalls() throws Exception {
        double before = metrics().sum(REQUESTS);
        idle();
        return metrics().sum(REQUESTS) - before;
    }

    /** While nobody makes them real, so that Knative finds nothing to do when it wakes. */
    private void deleteAll() {
        long began = System.nanoTime();
        var functions = cluster.client().resources(FunctionObject.class).inNamespace(namespace);
        functions.delete();
        await(() -> functions.list().getItems().isEmpty());
        System.out.printf("cluster test: %d functions deleted in %.0f s%n", COUNT, seconds(began));
    }

    /** A platform of this machine lets the engine try the one unit, which no node of the cluster could. */
    private Digest packageOnce(Map<String, String> settings) throws Exception {
        Path home = Files.createDirectory(folder.resolve("laptop"));
        Path file = Functions.SAMPLES.resolve("add-sub/add-sub.onnx");
        try (var laptop = PlatformProcess.start(home, settings);
                var in = Files.newInputStream(file)) {
            Digest digest = Sha256.of(in);
            URI api = laptop.address().resolve("/api/v1/");
            send(api.resolve("models/" + digest), "PUT", BodyPublishers.ofFile(file));
            ObjectNode document = Functions.sample("add-sub");
            document.withObject("spec").put("model", digest.value());
            send(api.resolve("functions"), "POST", BodyPublishers.ofString(document.toString()));
            URI made = api.resolve("functions/default/add-sub");
            send(made, "DELETE", BodyPublishers.noBody());
            return digest;
        }
    }

    private static void send(URI place, String method, BodyPublisher body) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(place)
                    .method(method, body)
                    .header("Content-Type", "application/json")
                    .build();
            var answer = http.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        }
    }

    private void apply() throws Exception {
        ObjectNode document = Functions.sample("add-sub");
        document.withObject("metadata").put("namespace", namespace);
        document.withObject("spec").put("model", model.value());
        try (var appliers = Executors.newFixedThreadPool(APPLIERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                ObjectNode one = document.deepCopy();
                one.withObject("metadata").put("name", "many-" + i);
                all.add(appliers.submit(() -> create(one)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private void create(ObjectNode document) {
        KubernetesClient client = cluster.client();
        var function = client.getKubernetesSerialization().unmarshal(document.toString(), FunctionObject.class);
        client.resource(function).create();
    }

    /** Those whose newest wish was seen and has its Route. */
    private int configured() {
        return (int) cluster.client().resources(FunctionObject.class).inNamespace(namespace).list().getItems().stream()
                .filter(function ->
                        function.getStatus() != null && function.getStatus().latestVersion() != null)
                .count();
    }

    /** Until the controller has had nothing to do for a while. */
    private void settle() {
        var looks = new double[] {-1};
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(15)).until(() -> {
            double before = looks[0];
            looks[0] = metrics().sum(LOOKS + "_count");
            return looks[0] == before;
        });
    }

    /** Time itself is what is awaited: the calls of a minute are counted. */
    private static void idle() {
        long began = System.nanoTime();
        Awaitility.await()
                .atMost(IDLE.multipliedBy(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> System.nanoTime() - began >= IDLE.toNanos());
    }

    private static void await(Callable<Boolean> becomes) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(5)).until(becomes);
    }

    private Metrics metrics() throws Exception {
        return Metrics.of(platform.address());
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    /** What the kernel says of a process. */
    private record Process(long residentMebibytes, long peakMebibytes) {
        static Process of(ProcessHandle process) throws IOException {
            Path status = Path.of("/proc", Long.toString(process.pid()), "status");
            return new Process(mebibytes(status, "VmRSS:"), mebibytes(status, "VmHWM:"));
        }

        private static long mebibytes(Path status, String line) throws IOException {
            return Files.readAllLines(status).stream()
                    .filter(text -> text.startsWith(line))
                    .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(-1);
        }
    }

    /** Knative's controller without a pod, where it is there; as many as before when closed. */
    private record KnativeAsleep(TestCluster cluster, int replicas) implements AutoCloseable {
        private static final String NAMESPACE = "knative-serving";
        private static final String NAME = "controller";

        static KnativeAsleep begin(TestCluster cluster) {
            var deployment =
                    cluster.client().apps().deployments().inNamespace(NAMESPACE).withName(NAME);
            if (deployment.get() == null) {
                return new KnativeAsleep(cluster, 0);
            }
            // A run that was killed may have left it asleep.
            int replicas = Math.max(1, deployment.get().getSpec().getReplicas());
            deployment.scale(0);
            return new KnativeAsleep(cluster, replicas);
        }

        @Override
        public void close() {
            if (replicas > 0) {
                cluster.client()
                        .apps()
                        .deployments()
                        .inNamespace(NAMESPACE)
                        .withName(NAME)
                        .scale(replicas);
            }
        }
    }
}
