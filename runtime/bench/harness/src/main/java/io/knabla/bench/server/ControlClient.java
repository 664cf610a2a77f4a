package io.knabla.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Client for the part of the control API that a benchmark needs. */
final class ControlClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String root;

    ControlClient(int port) {

        this.root = "http://127.0.0.1:" + port + "/api/v1";
    }

    /** @param spec the JSON fields of {@code spec} besides the model */
    void deploy(String name, Path model, String spec) {
        try {
            String digest = "sha256:" + sha256(model);
            send(request("/models/" + digest).PUT(BodyPublishers.ofFile(model)));
            String function = """
                    {"apiVersion": "knabla.dev/v1alpha1", "kind": "Function",
                     "metadata": {"name": "%s", "namespace": "default"},
                     "spec": {"model": "%s", %s}}
                    """.formatted(name, digest, spec);
            send(request("/functions")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(function)));
        } catch (IOException error) {
            throw new IllegalStateException("cannot deploy " + model, error);
        }
    }

    /** As Prometheus text. */
    String metrics() {
        return answer(HttpRequest.newBuilder(URI.create(root).resolve("/q/metrics"))
                .header("Accept", "text/plain")
                .build());
    }

    JsonNode function() {
        return send(request("/functions/default/bench").GET());
    }

    /** The port of the function's first replica. */
    int replicaPort() {
        String address = send(request("/replicas").GET()).findValue("address").asText();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** From the metric {@code knabla_pool_replicas}. */
    int poolReplicas() {
        return metrics()
                .lines()
                .filter(line -> line.startsWith("knabla_pool_replicas"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path));
    }

    private JsonNode send(HttpRequest.Builder builder) {
        String body = answer(builder.build());
        try {
            return body.isBlank() ? JSON.missingNode() : JSON.readTree(body);
        } catch (IOException error) {
            throw new IllegalStateException("no JSON: " + body, error);
        }
    }

    private String answer(HttpRequest request) {
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(
                        "%s %s: %d %s".formatted(request.method(), request.uri(), answer.statusCode(), answer.body()));
            }
            return answer.body();
        } catch (IOException error) {
            throw new IllegalStateException("no answer to " + request, error);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + request, interrupted);
        }
    }

    private static String sha256(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
