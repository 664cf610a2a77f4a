package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What goes wrong with real replicas, how it is told, and that it is over when its cause is. The controller and the
 * store are on this machine, where the store can be made to refuse. What a test makes go wrong may mend itself while
 * another is looked at, so events tell, which stay.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(NoInstalledPlatform.class)
@Order(SuiteOrder.WITHOUT_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
class TroublesOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    @TempDir
    static Path folder;

    private static Functions functions;
    private static S3ProxyServer s3;
    private static Map<String, String> reach;
    private static String location;
    private static PlatformProcess platform;

    /** The controller too meets a store that refuses it. */
    @BeforeAll
    static void start() throws IOException {
        functions = new Functions(cluster, cluster.namespace("troubles"));
        s3 = S3ProxyServer.startForAll(Files.createDirectory(folder.resolve("buckets")));
        location = "s3://" + s3.newBucket() + "/platform";
        reach = new HashMap<>(s3.environment());
        reach.put(
                "KNABLA_S3_ENDPOINT",
                "http://%s:%d".formatted(addressForPods(cluster), s3.endpoint().getPort()));
        Map<String, String> settings = new HashMap<>(reach);
        settings.put("KNABLA_STORE", location);
        settings.put("KNABLA_CLUSTER_KIND", "Knative");
        settings.put("KNABLA_CLUSTER_NAMESPACES", functions.namespace());
        settings.put("KNABLA_CLUSTER_IMAGE", PushedReplica.image());
        s3.revokeKeys();
        platform = PlatformProcess.start(Files.createDirectory(folder.resolve("home")), settings);
    }

    @AfterAll
    static void stop() {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
        platform.close();
        s3.close();
    }

    /** That of this machine on the way to the cluster's nodes. */
    static String addressForPods(TestCluster cluster) throws IOException {
        String node = cluster.client().nodes().list().getItems().stream()
                .filter(it -> !it.getMetadata().getAnnotations().containsKey(FakeNodes.FAKE))
                .flatMap(it -> it.getStatus().getAddresses().stream())
                .filter(address -> address.getType().equals("InternalIP"))
                .findFirst()
                .orElseThrow()
                .getAddress();
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(node, 9));
            return socket.getLocalAddress().getHostAddress();
        }
    }

    @Test
    @Order(1)
    void aControllerThatItsStoreRefusesStaysUpAndSaysSoUntilItIsLetIn() throws Exception {
        await().untilAsserted(() -> assertThat(readiness()).satisfies(answer -> {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("credentials");
        }));
        assertThat(Files.readString(folder.resolve("home/controller.log")))
                .contains("starts without its store", "credentials");
        apply("refused", "add-sub", "128Mi");
        functions.awaitCondition("refused", "Packaged", "False", "StoreForbidden", "credentials");

        s3.restoreKeys();
        await().untilAsserted(() -> assertThat(readiness().statusCode()).isEqualTo(200));
        for (String sample : List.of("add-sub", "exp", "lecture", "digits")) {
            functions.upload(platform.address(), sample);
        }
        apply("lost", "exp", "128Mi");
        apply("damaged", "lecture", "128Mi");
        apply("starved", "digits", "64Mi");
        functions.awaitReady("refused");
        functions.awaitReady("lost");
        functions.awaitReady("damaged");
        functions.awaitReady("starved");
        assertThat(platform.process().isAlive()).isTrue();
        hang("stuck");
    }

    /** Its liveness probe takes minutes to notice; the other tests run meanwhile. */
    private static void hang(String name) throws IOException {
        Path model = Onnx.save(longSuppression(), folder.resolve("suppression.onnx"));
        functions.upload(platform.address(), model);
        ObjectNode document = function(name, "add-sub", "512Mi");
        document.withObject("spec").put("model", digest(model)).put("timeout", "1s");
        functions.apply(document);
        functions.awaitReady(name);
        assertThat(suppress(name, 1_000_000).statusCode()).isEqualTo(504);
    }

    /** One operator compares each of n boxes with all others, so that the engine cannot stop in between. */
    private static ModelProto longSuppression() {
        return new Onnx()
                .input("n", ElementType.INT64, 1)
                .output("selected", ElementType.INT64, "m", 3)
                .constant("one", 1)
                .constant("four", 4)
                .constant("most", Long.MAX_VALUE)
                .node("Concat", List.of("one", "n", "four"), "boxes_shape", Onnx.integer("axis", 0))
                .node("Concat", List.of("one", "one", "n"), "scores_shape", Onnx.integer("axis", 0))
                .node("ConstantOfShape", List.of("boxes_shape"), "boxes")
                .node("ConstantOfShape", List.of("scores_shape"), "scores")
                .node("NonMaxSuppression", List.of("boxes", "scores", "most"), "selected")
                .build();
    }

    private static HttpResponse<byte[]> suppress(String name, int boxes) {
        byte[] request = """
                {"inputs": [{"name": "n", "datatype": "INT64", "shape": [1], "data": [%d]}]}
                """.formatted(boxes).getBytes(StandardCharsets.UTF_8);
        return functions.post(name, "/v2/models/" + name + "/infer", request, Map.of());
    }

    private static String digest(Path model) throws IOException {
        try (var in = Files.newInputStream(model)) {
            return Sha256.of(in).value();
        }
    }

    @Test
    @Order(2)
    void replicasThatTheStoreRefusesComeBackWithItsKeys() throws Exception {
        s3.revokeKeys();
        replace("refused");
        awaitEvent("refused", "StoreForbidden: ", "credentials");
        functions.awaitCondition("refused", "Ready", "False", "StoreForbidden", "version 1: ");
        await().untilAsserted(() -> assertThat(readiness().statusCode()).isEqualTo(503));

        s3.restoreKeys();
        causeTheOthers();
        functions.awaitReady("refused");
        Functions.json(functions.infer("refused", "add-sub"));
        await().untilAsserted(() -> assertThat(readiness().statusCode()).isEqualTo(200));
    }

    /** They need no attention before they are told; how long a replica waits is the kubelet's to say. */
    private static void causeTheOthers() throws IOException {
        try (ObjectStore store = store()) {
            assertThat(store.delete(manifest("lost"))).isTrue();
            ObjectKey graph = graph("damaged");
            byte[] bytes = store.read(graph).orElseThrow().bytes();
            bytes[bytes.length / 2] ^= 1;
            store.write(graph, Content.of(bytes));
        }
        replace("lost");
        replace("damaged");
    }

    @Test
    @Order(3)
    void aUnitThatTheStoreLostIsMadeAgain() throws Exception {
        awaitEvent("lost", "UnitMissing: ", "Deploy the function again");
        functions.awaitReady("lost");
        Functions.json(functions.infer("lost", "exp"));
    }

    /** It lives on its limit until it has something to do. */
    @Test
    @Order(5)
    void tooLittleMemoryIsToldWithWhatMayDo() throws Exception {
        assertThat(batch("starved", 8_000).statusCode()).isGreaterThanOrEqualTo(500);

        awaitEvent(
                "starved",
                "OOMKilled: version 1: a replica was killed",
                "its memory of 64Mi. Set spec.resources.memory to more, such as 128Mi");
        functions.awaitReady("starved");
        Functions.json(functions.infer("starved", "digits"));
    }

    /** So many black pictures at once, as bytes behind their JSON. */
    private static HttpResponse<byte[]> batch(String name, int pictures) {
        int size = pictures * 8 * 8 * Float.BYTES;
        byte[] head = """
                {"inputs": [{"name": "image", "datatype": "FP32", "shape": [%d, 1, 8, 8],
                  "parameters": {"binary_data_size": %d}}]}
                """.formatted(pictures, size).getBytes(StandardCharsets.UTF_8);
        return functions.post(
                name,
                "/v2/models/" + name + "/infer",
                Arrays.copyOf(head, head.length + size),
                Map.of("Inference-Header-Content-Length", Integer.toString(head.length)));
    }

    @Test
    @Order(4)
    void aDamagedUnitIsToldAndMadeAgainWhereItIsDeleted() throws Exception {
        awaitEvent("damaged", "CrashLoop: ", "Delete it and deploy the function again");

        try (ObjectStore store = store()) {
            store.delete(graph("damaged"));
        }
        functions.awaitReady("damaged");
        Functions.json(functions.infer("damaged", "lecture"));
    }

    /** Where nobody runs their pods, no request may go there. */
    @Test
    @Order(6)
    @ExtendWith(Kwok.class)
    void functionsOfMixedCapacityAnswerWhileSpotNodesAreSimulated() throws Exception {
        try (var nodes = new FakeNodes(cluster)) {
            nodes.spot("mixed-" + UUID.randomUUID().toString().substring(0, 6), 8);
            ObjectNode document = function("mixed", "add-sub", "128Mi");
            document.withObject("spec").putObject("placement").put("capacity", "Mixed");
            document.withObject("spec").withObject("scaling").put("max", 4);
            functions.apply(document);
            functions.awaitReady("mixed");

            await().untilAsserted(() -> assertThat(configurations("mixed"))
                    .containsExactlyInAnyOrder("mixed-cpu-on-demand", "mixed-cpu-spot"));
            for (int i = 0; i < 20; i++) {
                Functions.json(functions.infer("mixed", "add-sub"));
            }
            cluster.kubectl("-n", functions.namespace(), "delete", "fn", "mixed")
                    .good();
        }
    }

    @Test
    @Order(7)
    void aReplicaWhoseEngineIsStuckIsReplaced() {
        await().untilAsserted(() -> assertThat(functions.pods("stuck"))
                .flatExtracting(pod -> pod.getStatus().getContainerStatuses())
                .anySatisfy(container -> assertThat(container.getRestartCount()).isPositive()));
        await().untilAsserted(
                        () -> assertThat(suppress("stuck", 10).statusCode()).isEqualTo(200));
    }

    private static List<String> configurations(String function) {
        return cluster
                .client()
                .resources(Configuration.class)
                .inNamespace(functions.namespace())
                .withLabel("knabla.dev/function", function)
                .list()
                .getItems()
                .stream()
                .map(configuration -> configuration.getMetadata().getName())
                .toList();
    }

    private static ObjectNode function(String name, String sample, String memory) {
        try {
            ObjectNode document = functions.forKubectl(sample);
            document.withObject("metadata").put("name", name);
            ObjectNode spec = document.withObject("spec");
            spec.putObject("resources").put("cpu", "20m").put("memory", memory);
            spec.withObject("scaling").put("min", 1).put("max", 1);
            return document;
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static void apply(String name, String sample, String memory) {
        functions.apply(function(name, sample, memory));
    }

    /** The next replica has nothing in its cache. */
    private static void replace(String name) {
        for (Pod pod : functions.pods(name)) {
            cluster.client().resource(pod).withGracePeriod(0).delete();
        }
    }

    private static void awaitEvent(String name, String... words) {
        await().untilAsserted(() -> assertThat(functions.events(name).lines())
                .as(functions.events(name))
                .anySatisfy(line -> assertThat(line).contains(words)));
    }

    private static ObjectStore store() {
        return new StoreAccess(location, reach).open();
    }

    private static Digest unit(String name) {
        return new Digest(functions.get(name).getStatus().unit());
    }

    private static ObjectKey manifest(String name) {
        return ObjectKey.of("units", unit(name).hex() + ".json");
    }

    private static ObjectKey graph(String name) {
        try (ObjectStore store = store()) {
            return UnitStore.blobKey(
                    new UnitStore(store).read(unit(name)).graphs().graph().digest());
        }
    }

    private static HttpResponse<String> readiness() throws Exception {
        URI place = platform.address().resolve("/q/health/ready");
        try (var http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(place).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
