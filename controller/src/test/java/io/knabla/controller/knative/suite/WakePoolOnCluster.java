package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A function without pods is answered by its namespace's wake pool, and by a pod of its own once it is called often.
 */
@Order(SuiteOrder.CHANGES_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
class WakePoolOnCluster {
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
    static void optIn() throws IOException {
        functions = new Functions(cluster, cluster.namespace("wake"));
        FunctionNamespace.apply(cluster, functions.namespace());
        platform.set("KNABLA_CLUSTER_WAKE_POOL_NAMESPACES", functions.namespace());
    }

    @AfterAll
    static void optOut() throws IOException {
        platform.unset("KNABLA_CLUSTER_WAKE_POOL_NAMESPACES");
    }

    @Test
    void thePoolAnswersUntilTheFunctionHasAPod() throws IOException {
        ObjectNode document = functions.forCommandLine(SAMPLE);
        document.withObject("spec").withObject("scaling").put("idleAfter", "6s");
        document.withObject("spec").putObject("keepWarm").put("policy", "Never");
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
        await().untilAsserted(() -> {
            assertThat(functions.pods(SAMPLE)).isEmpty();
            assertThat(targets()).contains("knabla-pool");
        });

        HttpResponse<byte[]> first = functions.infer(SAMPLE, SAMPLE);
        assertThat(first.headers().map()).containsEntry("knabla-start", List.of("pooled"));
        assertRight(first);

        await().untilAsserted(() -> {
            assertRight(functions.infer(SAMPLE, SAMPLE));
            assertThat(functions.pods(SAMPLE)).hasSize(1);
            assertThat(targets()).doesNotContain("knabla-pool");
        });
        assertRight(functions.infer(SAMPLE, SAMPLE));
    }

    /** What the function's Route sends requests to. */
    private static String targets() {
        String path = "jsonpath={.spec.traffic[?(@.percent>0)]}";
        return cluster.kubectl("-n", functions.namespace(), "get", "route.serving.knative.dev", SAMPLE, "-o", path)
                .good()
                .out();
    }

    private static void assertRight(HttpResponse<byte[]> answer) throws IOException {
        for (JsonNode output : Functions.expected(SAMPLE).path("outputs")) {
            String name = output.path("name").asText();
            assertThat(Functions.numbers(Functions.output(Functions.json(answer), name)))
                    .as(name)
                    .containsExactly(Functions.numbers(output));
        }
    }
}
