package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A new version is called at its tag's URL before it gets requests, and a function is called over gRPC. */
class TrafficOnCluster {
    private static final String SAMPLE = "add-sub";

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @TempDir
    Path folder;

    private static Functions functions;

    @BeforeAll
    static void makeNamespace() throws IOException {
        functions = new Functions(cluster, cluster.namespace("traffic"));
        FunctionNamespace.apply(cluster, functions.namespace());
    }

    @Test
    void aCanaryIsCalledAtItsTagBeforeItGetsRequests() throws IOException {
        deploy(document("20s"));
        deploy(document("21s"), "--no-traffic");
        functions.awaitReady(SAMPLE);

        String tagged = functions.get(SAMPLE).getStatus().tags().get("canary");
        assertThat(tagged).contains("canary-" + SAMPLE);
        await().untilAsserted(() -> assertThat(version(tagged)).isEqualTo("2"));
        assertThat(version(functions.get(SAMPLE).getStatus().url())).isEqualTo("1");

        platform.knabla("traffic", SAMPLE, "latest=100", "-n", functions.namespace())
                .good();
        await().untilAsserted(() ->
                assertThat(version(functions.get(SAMPLE).getStatus().url())).isEqualTo("2"));
    }

    @Test
    void aFunctionIsCalledOverGrpc() throws Exception {
        ObjectNode document = document("20s");
        document.withObject("metadata").put("name", "by-grpc");
        document.withObject("spec").put("grpc", true);
        deploy(document);
        String url = functions.awaitReady("by-grpc").getStatus().url();

        try (var client = new GrpcCaller(TestCluster.ingress())) {
            assertThat(client.modelReady(url, "by-grpc")).isTrue();
        }
        assertThat(functions.infer("by-grpc", SAMPLE).statusCode())
                .as("HTTP/1.1 beside it")
                .isEqualTo(200);
    }

    private static ObjectNode document(String timeout) {
        ObjectNode document = functions.forCommandLine(SAMPLE);
        document.withObject("spec").put("timeout", timeout);
        return document;
    }

    private void deploy(ObjectNode document, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        Stream<String> words = Stream.of("deploy", "-f", file.toString(), "-n", functions.namespace());
        platform.knabla(Stream.concat(words, Stream.of(options)).toArray(String[]::new))
                .good();
    }

    private static String version(String url) throws IOException {
        byte[] request = Files.readAllBytes(Functions.SAMPLES.resolve(SAMPLE).resolve("request.json"));
        try (var ingress = new Ingress()) {
            var answer = ingress.post(
                    url + "/v2/models/" + SAMPLE + "/infer", request, Map.of("Content-Type", "application/json"));
            return Functions.json(answer).path("model_version").asText();
        }
    }
}
