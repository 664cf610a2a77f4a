package io.knabla.controller.kill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/** HTTP client of one platform; an {@link IOException} means that the platform did not answer. */
final class Client {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI address;

    Client(URI address) {
        this.address = address;
    }

    /** Uploads a model unless the platform has it. */
    void upload(String digest, Path model) throws IOException {
        var answer = send("/api/v1/models/" + digest, "PUT", BodyPublishers.ofFile(model));
        require(answer, answer.statusCode() / 100 == 2);
    }

    /** Deploys a function and returns the acknowledged version. */
    int deploy(String name, String digest, int timeoutSeconds) throws IOException {
        return deploy(name, digest, timeoutSeconds, "2s");
    }

    /** Deploys a function that sleeps after so long without a call, and returns the acknowledged version. */
    int deploy(String name, String digest, int timeoutSeconds, String idleAfter) throws IOException {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {model: "%s", timeout: %ds, scaling: {idleAfter: %s}}
                """.formatted(name, digest, timeoutSeconds, idleAfter);
        var answer = send("/api/v1/functions", "POST", BodyPublishers.ofString(yaml));
        require(answer, answer.statusCode() / 100 == 2);
        return JSON.readTree(answer.body()).get("version").asInt();
    }

    /** The newest version that the platform knows, or 0. */
    int latestVersion(String name) throws IOException {
        var answer = send("/api/v1/functions/default/" + name, "GET", BodyPublishers.noBody());
        return answer.statusCode() == 404
                ? 0
                : JSON.readTree(answer.body()).get("latestVersion").asInt();
    }

    /** Why keep-warm decided last as it did; empty if it has not decided. */
    String keepWarmReason(String name) throws IOException {
        var answer = send("/api/v1/functions/default/" + name, "GET", BodyPublishers.noBody());
        require(answer, answer.statusCode() == 200);
        return JSON.readTree(answer.body()).at("/keepWarm/reason").asText();
    }

    JsonNode versions(String name) throws IOException {
        var answer = send("/api/v1/functions/default/" + name + "/versions", "GET", BodyPublishers.noBody());
        require(answer, answer.statusCode() == 200);
        return JSON.readTree(answer.body()).get("items");
    }

    HttpResponse<String> infer(String name, String body) throws IOException {
        return send("/v2/models/" + name + "/infer", "POST", BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(String path, String method, HttpRequest.BodyPublisher body) throws IOException {
        var request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(Duration.ofMinutes(3))
                .header("Content-Type", contentType(path))
                .method(method, body)
                .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            throw new UncheckedIOException(new IOException(interrupted));
        }
    }

    private static String contentType(String path) {
        return path.startsWith("/api/v1/functions")
                ? "application/yaml"
                : path.startsWith("/api/") ? "application/octet-stream" : "application/json";
    }

    private static void require(HttpResponse<String> answer, boolean holds) {
        if (!holds) {
            throw new AssertionError(answer.uri() + " answered " + answer.statusCode() + ": " + answer.body());
        }
    }
}
