package io.knabla.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.assemble.SampleUnit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts replicas from the folder that the build assembled, as a launcher does. */
@Timeout(300)
class AssembledReplicaIT {
    private static final Path FOLDER = Path.of("target/replica").toAbsolutePath();

    private static ReplicaProcess start(Map<String, String> environment, String... arguments) throws Exception {
        var command = new java.util.ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:AOTMode=on", "@" + FOLDER.resolve("replica.args")));
        command.addAll(List.of(arguments));
        return new ReplicaProcess(command, environment);
    }

    @Test
    void containsOnlyNeededClasses() throws Exception {
        try (var jar = new JarFile(FOLDER.resolve("replica.jar").toFile())) {
            assertThat(jar.stream().map(entry -> entry.getName()).filter(name -> name.endsWith(".class")))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("io/knabla/runtime/")
                            || name.startsWith("io/knabla/storage/")
                            || name.startsWith("io/knabla/functions/unit/")
                            || name.startsWith("io/knabla/functions/tokenizer/")
                            || name.startsWith("io/knabla/functions/chat/")
                            || name.startsWith("com/fasterxml/jackson/core/")
                            || name.startsWith("ai/onnxruntime/"));
        }
    }

    @Test
    void servesWithAotCacheAndExitsOnSigterm() throws Exception {
        try (var unit = SampleUnit.of(Onnx.dynamic());
                var replica = start(unit.environment())) {
            replica.port();
            assertThat(replica.event()).startsWith("{\"event\":\"ready\",\"phases\":{\"boot\":");
            assertThat(replica.terminate()).isEqualTo(143);
            assertThat(replica.event()).startsWith("{\"event\":\"usage\",\"succeeded\":0,\"failed\":0,");
        }
    }

    @Test
    void expandsOpenApiTemplatesFromItsJar() throws Exception {
        try (var unit = SampleUnit.of(Onnx.dynamic());
                var replica = start(unit.environment())) {
            assertThat(get(replica.port(), "/openapi.json", ""))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"paths\":{\"/apply\"", "\"components\"")
                    .doesNotContain("${");
            assertThat(replica.terminate()).isEqualTo(143);
        }
    }

    @Test
    void reportsColdStartToFirstCallersInAPod() throws Exception {
        List<String> answers = firstAnswersInAPod();
        while (answers.getFirst().contains("Knabla-Start: warm")) {
            // This machine stalled, and the call arrived after the cold-start window.
            answers = firstAnswersInAPod();
        }
        assertThat(answers.getFirst())
                .startsWith("HTTP/1.1 200")
                .contains("Knabla-Version: 1\r\nKnabla-Start: cold\r\n")
                .containsPattern("Server-Timing: place;dur=\\d+, fetch;dur=\\d+, boot;dur=\\d+, load;dur=\\d+\r\n");
        assertThat(answers.getLast()).contains("Knabla-Version: 1\r\n").doesNotContain("cold", "Server-Timing");
    }

    private static List<String> firstAnswersInAPod() throws Exception {
        try (var unit = SampleUnit.of(Onnx.dynamic())) {
            var environment = new HashMap<>(unit.environment());
            environment.put("K_REVISION", "add-1");
            Files.createDirectory(unit.home().resolve("cache"));
            try (var replica = start(environment)) {
                int port = replica.port();
                String first = get(port, "/v2/models/model", "K-Proxy-Request: activator\r\n");
                String next = get(port, "/v2/models/model", "K-Proxy-Request: activator\r\n");
                assertThat(replica.terminate()).isEqualTo(143);
                return List.of(first, next);
            }
        }
    }

    @Test
    void finishesAdmittedRequestsOnSigterm() throws Exception {
        String body = "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,1],\"datatype\":\"FP32\",\"data\":[4]}]}";
        try (var unit = SampleUnit.of(Onnx.dynamic());
                var replica = start(unit.environment())) {
            int port = replica.port();
            replica.event();
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                write(
                        socket,
                        "POST /v2/models/model/infer HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
                                + body.length()
                                + "\r\n\r\n");
                // The replica sends 100 Continue only for an admitted request.
                String leave = "HTTP/1.1 100 Continue\r\n\r\n";
                assertThat(new String(socket.getInputStream().readNBytes(leave.length())))
                        .isEqualTo(leave);
                replica.process().toHandle().destroy();
                // A request admitted during the signal is still answered, as ready or as stopping.
                String late = ready(port);
                while (!late.contains("is stopping")) {
                    late = ready(port);
                }
                assertThat(late).startsWith("HTTP/1.1 503");
                write(socket, body);
                assertThat(new String(socket.getInputStream().readAllBytes()))
                        .startsWith("HTTP/1.1 200")
                        .contains("Connection: close")
                        .contains("\"data\":[8.0]");
            }
            assertThat(replica.terminate()).isEqualTo(143);
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String ready(int port) throws IOException {
        return get(port, "/v2/health/ready", "");
    }

    private static String get(int port, String path, String headers) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            write(socket, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n".formatted(path, headers));
            return new String(socket.getInputStream().readAllBytes());
        }
    }

    @Test
    void exitsWithItsLauncher() throws Exception {
        try (var unit = SampleUnit.of(Onnx.dynamic())) {
            var environment = new HashMap<>(unit.environment());
            environment.put("KNABLA_STDIN_WATCH", "1");
            try (var replica = start(environment)) {
                replica.port();
                replica.process().getOutputStream().close();
                assertThat(replica.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void checksAModel() throws Exception {
        try (var unit = SampleUnit.of(Onnx.dynamic());
                var replica = start(unit.environment(), "check")) {
            assertThat(replica.event()).startsWith("{\"event\":\"checked\",\"loadMillis\":");
            assertThat(replica.process().waitFor()).isZero();
        }
    }

    @Test
    void warnsIfTrialFailsBecauseOfInputs() throws Exception {
        try (var unit = SampleUnit.of(new Onnx()
                        .input("a", ElementType.INT64, 1)
                        .input("b", ElementType.INT64, 1)
                        .output("q", ElementType.INT64, 1)
                        .node("Div", List.of("a", "b"), "q")
                        .build());
                var replica = start(unit.environment(), "check")) {
            assertThat(replica.event())
                    .startsWith("{\"event\":\"checked\"")
                    .contains("\"warning\":\"a trial with zeros", "division by zero");
            assertThat(replica.process().waitFor()).isZero();
        }
    }

    @Test
    void reportsAllSettingFaults() throws Exception {
        try (var replica = start(Map.of("PORT", "x"))) {
            assertThat(replica.event())
                    .contains("\"event\":\"failed\"")
                    .contains("KNABLA_UNIT is not set")
                    .contains("KNABLA_STORE is not set")
                    .contains("PORT is 'x'");
            assertThat(replica.process().waitFor()).isEqualTo(3);
        }
    }
}
