package io.knabla.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.servers.RealServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the demo with its store on third-party S3 servers; part of {@code ./knabla test s3}. */
class DemoOnRealServers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path folder;

    /** One of them, for the contract holds for each; in the thorough suite all. */
    static Stream<RealServer> servers() {
        return Boolean.getBoolean("knabla.thorough") ? Stream.of(RealServer.values()) : Stream.of(RealServer.SEAWEEDFS);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void servesTheDemoFromAnotherHome(RealServer which) throws Exception {
        S3Server server = which.shared();
        Map<String, String> environment = new HashMap<>(server.environment());
        environment.put("KNABLA_STORE", "s3://" + server.newBucket() + "/demo");
        long began = System.nanoTime();
        demo(environment);
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        List<String> served = servedFromAnotherHome(environment);
        assertThat(served).contains("add-sub", "digits", "digits-training");
        System.out.printf(
                "demo test: %s: the demo took %d s, a fresh home served %s%n", which.title(), seconds, served);
    }

    private void demo(Map<String, String> environment) throws Exception {
        Path log = folder.resolve("demo.log");
        var builder = new ProcessBuilder(ROOT.resolve("knabla").toString(), "demo")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        int exit = builder.start().waitFor();
        assertThat(exit).as(() -> text(log)).isZero();
    }

    private List<String> servedFromAnotherHome(Map<String, String> environment) throws Exception {
        Path home = Files.createDirectory(folder.resolve("another"));
        List<String> served = new ArrayList<>();
        try (var platform = PlatformProcess.start(home, environment);
                HttpClient client = HttpClient.newHttpClient()) {
            URI functions = platform.address().resolve("/api/v1/functions");
            HttpResponse<String> list =
                    client.send(HttpRequest.newBuilder(functions).build(), BodyHandlers.ofString());
            for (JsonNode item : JSON.readTree(list.body()).get("items")) {
                String name = item.get("name").asText();
                if (Files.notExists(sample(name))) {
                    continue; // It takes text.
                }
                HttpResponse<String> answer = client.send(request(platform.address(), name), BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(name + ": " + answer.body()).isEqualTo(200);
                served.add(name);
            }
        }
        return served;
    }

    private static HttpRequest request(URI platform, String function) throws IOException {
        return HttpRequest.newBuilder(platform.resolve("/v2/models/" + function + "/infer"))
                .timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofFile(sample(function)))
                .build();
    }

    private static Path sample(String function) {
        return ROOT.resolve("functions/samples").resolve(function).resolve("request.json");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return "no log: " + absent;
        }
    }
}
