package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A language model's folder becomes a function of an installed platform that sleeps, wakes, streams texts through
 * Knative and has a cost per million tokens.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GenerationOnCluster {
    private static final int SLOTS = 4;
    private static final int LONG = 1000;
    private static final int LONGEST = TextFunction.CONTEXT - 10;

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @TempDir
    static Path folder;

    private static PricedNodes nodes;
    private static Functions functions;

    @BeforeAll
    static void deploy() throws IOException {
        nodes = new PricedNodes(cluster);
        functions = new Functions(cluster, cluster.namespace("texts"));
        FunctionNamespace.apply(cluster, functions.namespace());
        ObjectNode document = TextFunction.document(functions.namespace(), folder.resolve("model"));
        ObjectNode spec = document.withObject("spec");
        spec.putObject("placement").put("capacity", "OnDemand");
        spec.putObject("scaling").put("idleAfter", "6s");
        spec.putObject("generation").put("maxSequences", SLOTS);
        spec.putObject("keepWarm").put("policy", "Never");
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
    }

    @AfterAll
    static void delete() {
        nodes.close();
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
    }

    @Test
    @Order(1)
    void aTextWakesTheFunctionAndIsStreamed() throws IOException {
        await().until(() -> functions.pods(TextFunction.NAME).isEmpty());
        try (var writer = new TextFunction(functions)) {
            String first = writer.stream(LONG);

            assertThat(first).contains("\"completion_tokens\":" + LONG).endsWith(TextFunction.END);
            assertThat(TextFunction.text(first)).hasSize(LONG);
            assertThat(TextFunction.text(writer.stream(LONG))).as("equal seeds").isEqualTo(TextFunction.text(first));
        }
    }

    /** A buffer on the way would hold the text back until its end, and hide that its caller has left. */
    @Test
    @Order(2)
    void aTextEndsWhenItsCallerLeaves() throws IOException {
        try (var writer = new TextFunction(functions);
                InputStream begun = writer.begin(LONGEST).body()) {
            assertThat(begun.read()).isEqualTo('d');
        }
        // It began before this one, so it would end and be counted before it.
        try (var writer = new TextFunction(functions)) {
            writer.stream(LONGEST);
        }
        await().until(() -> tokens().path("generated").asLong() >= 2 * LONG + LONGEST);
        assertThat(tokens().path("generated").asLong()).isLessThan(2 * LONG + 2 * LONGEST);
    }

    /** Knative's autoscaler sees one request. */
    @Test
    @Order(3)
    void severalTextsOfOneRequestStartAnotherReplica() throws IOException {
        try (var writer = new TextFunction(functions)) {
            await().until(() -> {
                writer.write(SLOTS, LONGEST);
                return functions.pods(TextFunction.NAME).size() > 1;
            });
        }
    }

    @Test
    @Order(4)
    void aMillionTokensHaveACost() {
        await().untilAsserted(() -> assertThat(tokens().path("usdPerMillion").asDouble())
                .as(tokens().toString())
                .isPositive());
        System.out.printf("generation test: tokens of the function: %s%n", tokens());
    }

    @Test
    @Order(5)
    void anotherFunctionReadsThePrompts() throws IOException {
        deploy("reader", spec -> spec.putObject("scaling").put("min", 1));
        deploy(
                "split",
                spec -> spec.putObject("generation").putObject("prefill").put("function", "reader"));
        String prompt = "What do you read? ".repeat(20);
        try (var split = new TextFunction(functions, "split");
                var writer = new TextFunction(functions)) {
            assertThat(split.write(prompt, 50)).isEqualTo(writer.write(prompt, 50));
            assertThat(split.metrics())
                    .as(functions.logs("split"))
                    .containsPattern("knabla_prefill_tokens_total\\{.*} 320\n")
                    .containsPattern("knabla_prefill_failures_total\\{.*} 0\n");
        }
    }

    private static void deploy(String name, Consumer<ObjectNode> more) throws IOException {
        ObjectNode document = TextFunction.document(functions.namespace(), name, folder.resolve("model"));
        document.withObject("spec").putObject("placement").put("capacity", "OnDemand");
        more.accept(document.withObject("spec"));
        Path file = Files.writeString(folder.resolve(name + ".yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
    }

    private static JsonNode tokens() {
        Ran cost = platform.knabla("cost", "-o", "json").good();
        try {
            for (JsonNode row : Functions.JSON.readTree(cost.out()).path("rows")) {
                if (row.path("group").asText().equals(functions.namespace() + "/" + TextFunction.NAME)) {
                    return row.path("tokens");
                }
            }
            return Functions.JSON.missingNode();
        } catch (IOException none) {
            throw new AssertionError(cost.out(), none);
        }
    }
}
