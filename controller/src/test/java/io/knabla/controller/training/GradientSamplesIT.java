package io.knabla.controller.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.kill.PlatformProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deploys and calls the gradient samples on a real platform. */
class GradientSamplesIT {
    @TempDir
    static Path home;

    private static PlatformProcess platform;
    private static FunctionClient functions;

    @BeforeAll
    static void start() throws IOException {
        platform = PlatformProcess.start(home);
        functions = new FunctionClient(platform.address());
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lecture", "exp", "digits-gradient"})
    void returnsTheExpectedOutput(String sample) throws IOException {
        functions.deploySample(sample);
        Path folder = FunctionClient.SAMPLES.resolve(sample);

        JsonNode answer = functions.infer(sample, Files.readString(folder.resolve("request.json")));

        JsonNode expected =
                FunctionClient.JSON.readTree(folder.resolve("expected.json").toFile());
        for (JsonNode output : expected.path("outputs")) {
            String name = output.path("name").asText();
            assertThat(FunctionClient.numbers(FunctionClient.output(answer, name)))
                    .as(name)
                    .containsExactly(FunctionClient.numbers(output), within(1e-4));
        }
    }

    @Test
    void checksGradientsAgainstFiniteDifferences() {
        functions.deploySample("digits-gradient");

        JsonNode view = functions.get("/api/v1/functions/default/digits-gradient");

        assertThat(view.path("type").asText()).isEqualTo("Gradient");
        assertThat(view.at("/analysis/gradientCheck/gradientError").doubleValue())
                .isGreaterThanOrEqualTo(0)
                .isLessThan(1e-2);
        assertThat(view.at("/analysis/flops").asLong()).isPositive();
    }

    @Test
    void servesTesseractClients() {
        functions.deploySample("lecture");
        String root = "/functions/default/lecture";

        JsonNode health = functions.get(root + "/health");
        JsonNode jacobian = FunctionClient.good(functions.post(root + "/jacobian", """
                                {"inputs": {"x1": 2.0, "x2": 5.0},
                                 "jac_inputs": ["x1", "x2"], "jac_outputs": ["y"]}
                                """));

        assertThat(health.path("status").asText()).isEqualTo("ok");
        assertThat(jacobian.path("y").has("x1")).as(jacobian.toString()).isTrue();
        assertThat(functions.get(root + "/openapi.json").path("openapi").asText())
                .startsWith("3");
    }

    /** Merging equal nodes would undo recomputation, so the engine optimises such graphs at the deploy. */
    @Test
    void optimisesRecomputedGraphsAheadOfTime() throws IOException {
        Path sample = FunctionClient.SAMPLES.resolve("digits-gradient");
        String yaml = Files.readString(sample.resolve("function.yaml"))
                .replace("name: digits-gradient", "name: recomputed")
                .replace(
                        "../digits/digits.onnx",
                        FunctionClient.SAMPLES.resolve("digits/digits.onnx").toString())
                .replace("    withRespectTo:", "    memory: {strategy: Recompute}\n    withRespectTo:");
        functions.knabla(
                "deploy", "-f", Files.writeString(home.resolve("r.yaml"), yaml).toString());

        JsonNode answer = functions.infer("recomputed", Files.readString(sample.resolve("request.json")));

        JsonNode expected =
                FunctionClient.JSON.readTree(sample.resolve("expected.json").toFile());
        assertThat(FunctionClient.numbers(FunctionClient.output(answer, "image_grad")))
                .containsExactly(FunctionClient.numbers(FunctionClient.output(expected, "image_grad")), within(1e-4));
        String unit = functions
                .get("/api/v1/functions/default/recomputed")
                .path("unit")
                .asText();
        functions.knabla(
                "deploy", "-f", Files.writeString(home.resolve("r.yaml"), yaml).toString());
        assertThat(functions
                        .get("/api/v1/functions/default/recomputed")
                        .path("unit")
                        .asText())
                .isEqualTo(unit);
        assertThat(functions
                        .get("/api/v1/functions/default/recomputed/versions")
                        .path("items"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{type: Dynamic}", "{type: Static, calibration: requests.json}"})
    void matchesFloatResultsWhenQuantized(String quantize) throws IOException {
        String name = "small-" + (quantize.contains("Static") ? "static" : "dynamic");
        Path digits = FunctionClient.SAMPLES.resolve("digits");
        Path folder = Files.createDirectories(home.resolve(name));
        Files.copy(digits.resolve("digits.onnx"), folder.resolve("digits.onnx"));
        Digits data =
                Digits.read(FunctionClient.SAMPLES.resolve("digits-training").resolve("digits.gz"));
        Files.writeString(
                folder.resolve("requests.json"),
                data.toTrain().batches(32).getFirst().request(false));
        Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {model: digits.onnx, quantize: %s}
                """.formatted(name, quantize));
        functions.knabla("deploy", "-f", folder.resolve("function.yaml").toString());

        Digits heldOut = data.heldOut();
        JsonNode answer = functions.infer(name, heldOut.request(false));

        // In floats the accuracy is 99.8 %.
        assertThat(heldOut.accuracy(FunctionClient.numbers(FunctionClient.output(answer, "logits"))))
                .isGreaterThan(0.97);
    }

    @Test
    void reportsAllFaultsAtOnceWithoutStarting() {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: wrong}
                spec:
                  type: Gradient
                  model: %s
                  gradient: {loss: {output: nowhere}, withRespectTo: [nothing, 'x9*']}
                """.formatted(FunctionClient.SAMPLES
                .resolve("lecture")
                .resolve("lecture.onnx")
                .toUri());

        var answer = functions.post("/api/v1/functions", yaml);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains(
                        "spec.gradient.loss.output",
                        "spec.gradient.withRespectTo[0]",
                        "spec.gradient.withRespectTo[1]");
        assertThat(functions.get("/api/v1/replicas").toString()).doesNotContain("wrong");
    }
}
