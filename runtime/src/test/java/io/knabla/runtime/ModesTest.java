package io.knabla.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.unit.Optimization;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestUnit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the modes other than serving in a replica process, started as a launcher does. */
@Timeout(300)
class ModesTest {
    private record Outcome(int exit, String event) {}

    private static Outcome run(Map<String, String> environment, String... mode) throws Exception {
        try (var process = start(environment, mode)) {
            String event = process.event();
            return new Outcome(process.process().waitFor(), event);
        }
    }

    private static ReplicaProcess start(Map<String, String> environment, String... mode) throws Exception {
        var command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.knabla.runtime.Main"));
        command.addAll(List.of(mode));
        return new ReplicaProcess(command, environment);
    }

    @Test
    void aPoolMemberServesTheUnitThatItIsAssigned() throws Exception {
        try (var unit = AnalyticModels.tanh();
                var client = HttpClient.newHttpClient();
                var member = start(Map.of("ORT_DISABLE_TELEMETRY", "1"), "pooled")) {
            assertThat(member.event()).isEqualTo("{\"event\":\"pooled\"}");
            Map<String, String> environment = unit.environment();
            environment.put("KNABLA_MODEL_NAME", "digits");
            environment.put("KNABLA_REPLICA_TOKEN", "secret");
            environment.put("KNABLA_CONCURRENCY", "9");
            member.assign(environment);
            int port = member.port();
            assertThat(member.event())
                    .matches(
                            "\\{\"event\":\"ready\",\"phases\":\\{\"boot\":0,\"fetch\":\\d+\\.\\d,\"load\":\\d+\\.\\d}}");

            var call = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v2/models/digits".formatted(port)));
            assertThat(client.send(call.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(403);
            call.header("Knabla-Replica-Token", "secret");
            assertThat(client.send(call.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);

            member.process().getOutputStream().close();
            assertThat(member.process().waitFor()).isZero();
        }
    }

    @Test
    void aPoolMemberEndsWithItsController() throws Exception {
        try (var member = start(Map.of("ORT_DISABLE_TELEMETRY", "1"), "pooled")) {
            member.process().getOutputStream().close();
            assertThat(member.process().waitFor()).isZero();
        }
    }

    @Test
    void checksGradients() throws Exception {
        try (var unit = AnalyticModels.tanh()) {
            Outcome ended = run(unit.environment(), "check");
            assertThat(ended.exit()).isZero();
            assertThat(ended.event())
                    .startsWith("{\"event\":\"checked\",\"loadMillis\":")
                    .containsPattern(
                            "\"gradientCheck\":\\{\"gradientError\":[0-9.E-]+,\"limit\":0.02,\"directions\":3,\"kinks\":0\\}");
        }
    }

    @Test
    void checksRowsOfUnitsThatJoinThem() throws Exception {
        try (var unit = TestUnit.of(Onnx.dynamic(), "")) {
            Map<String, String> environment = unit.environment();
            assertThat(run(environment, "check").event()).doesNotContain("rows");
            environment.put("KNABLA_BATCH_MAX_SIZE", "8");
            assertThat(run(environment, "check").event())
                    .endsWith(",\"rows\":{\"finding\":\"INDEPENDENT\",\"reason\":\"\"}}");
        }
    }

    @Test
    void refusesWrongGradients() throws Exception {
        try (var unit = AnalyticModels.wrong(1.5f)) {
            Outcome ended = run(unit.environment(), "check");
            assertThat(ended.exit()).isEqualTo(4);
            assertThat(ended.event())
                    .startsWith("{\"event\":\"refused\",\"error\":\"its gradients do not match its loss")
                    .endsWith(",\"code\":\"MODEL_REFUSED\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "optimize", "quantize-ranges"})
    void missingUnitIsUnavailable(String mode) throws Exception {
        try (var unit = AnalyticModels.tanh()) {
            Map<String, String> environment = unit.environment();
            environment.put("KNABLA_UNIT", "sha256:" + "0".repeat(64));
            Outcome ended = run(environment, mode);
            assertThat(ended.exit()).isEqualTo(5);
            assertThat(ended.event())
                    .startsWith("{\"event\":\"unavailable\",\"error\":\"'units/000")
                    .contains("is not in the store file:")
                    .endsWith(",\"code\":\"UNIT_MISSING\"}");
        }
    }

    @Test
    void checkOfTrainingStepStoresNoState() throws Exception {
        try (var unit = AnalyticModels.regression()) {
            Outcome ended = run(unit.environment(), "check");
            assertThat(ended.exit()).as(ended.event()).isZero();
            assertThat(ended.event()).contains("\"checked\"").doesNotContain("warning");
            assertThat(unit.store().list("states/")).isEmpty();
        }
    }

    @Test
    void optimises() throws Exception {
        try (var unit = new TestUnit()
                .main(io.knabla.functions.Onnx.mlp(4, 8, 2))
                .optimization(Optimization.NO_CSE)
                .write()) {
            Outcome ended = run(unit.environment(), "optimize");
            assertThat(ended.exit()).as(ended.event()).isZero();
            assertThat(ended.event())
                    .matches("\\{\"event\":\"optimized\",\"unit\":\"sha256:[0-9a-f]{64}\"\\}")
                    .doesNotContain(unit.unit().value());
        }
    }

    @Test
    void measuresRanges() throws Exception {
        try (var unit = TestUnit.calibration(Path.of("../functions/samples/digits/digits.onnx"), image(0.5))) {
            Outcome ended = run(unit.environment(), "quantize-ranges");
            assertThat(ended.exit()).as(ended.event()).isZero();
            assertThat(ended.event())
                    .matches(
                            "\\{\"event\":\"ranges\",\"ranges\":\\{(\"v\\d+[^\"]*\":\\[[-0-9.E]+,[-0-9.E]+\\],?)+\\}\\}");
        }
    }

    private static String image(double grey) {
        return "{\"inputs\": [{\"name\": \"image\", \"shape\": [1, 1, 8, 8], \"data\": %s}]}"
                .formatted(Collections.nCopies(64, grey));
    }

    @Test
    void refusesToMeasureAUnitWithoutSamples() throws Exception {
        try (var unit = AnalyticModels.tanh()) {
            Outcome ended = run(unit.environment(), "quantize-ranges");
            assertThat(ended.exit()).isEqualTo(4);
            assertThat(ended.event())
                    .startsWith("{\"event\":\"refused\",\"error\":\"the unit holds no calibration samples");
        }
    }

    @Test
    void benchmarksMachineWithoutUnit() throws Exception {
        Outcome ended = run(Map.of("KNABLA_THREADS", "2", "ORT_DISABLE_TELEMETRY", "1"), "calibrate");
        assertThat(ended.exit()).as(ended.event()).isZero();
        assertThat(ended.event())
                .matches("\\{\"event\":\"calibrated\",\"threads\":2,\"flops\":[0-9.E]+,\"bytesPerSecond\":[0-9.E]+\\}");
    }

    @Test
    void trainingStepNeedsStateKey() throws Exception {
        try (var unit = AnalyticModels.regression()) {
            Map<String, String> environment = unit.environment();
            environment.remove("KNABLA_STATE");
            try (var process = new ReplicaProcess(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.knabla.runtime.Main"),
                    environment)) {
                process.port();
                assertThat(process.event())
                        .startsWith("{\"event\":\"failed\"")
                        .contains("KNABLA_STATE is not set")
                        .endsWith(",\"code\":\"OTHER\"}");
                assertThat(process.process().waitFor()).isEqualTo(3);
            }
        }
    }

    @Test
    void unknownModeExitsWithUsage() throws Exception {
        assertThat(run(Map.of(), "dance").exit()).isEqualTo(2);
    }
}
