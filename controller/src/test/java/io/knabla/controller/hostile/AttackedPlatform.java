package io.knabla.controller.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.functions.Onnx;
import io.knabla.hostile.Target;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A platform process with functions that double {@code x}, called with its token if it has one. */
record AttackedPlatform(PlatformProcess process, Optional<String> token) implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param java options of the JVM; may be empty
     * @param within as of {@link PlatformProcess#start(Path, Map, List)}
     */
    static AttackedPlatform start(Path home, Optional<String> token, String java, List<String> within)
            throws IOException {
        Map<String, String> settings = new HashMap<>();
        token.ifPresent(secret -> settings.put("KNABLA_TOKEN", secret));
        if (!java.isEmpty()) {
            settings.put("JDK_JAVA_OPTIONS", java);
        }
        return new AttackedPlatform(PlatformProcess.start(home, settings, within), token);
    }

    /** @param scaling as in {@code spec.scaling} */
    void deploy(String function, String scaling) throws Exception {
        byte[] model = Onnx.dynamic().toByteArray();
        String digest = "sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(model));
        send("PUT", "/api/v1/models/" + digest, "application/octet-stream", BodyPublishers.ofByteArray(model));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {model: "%s", scaling: %s}
                """.formatted(function, digest, scaling);
        send("POST", "/api/v1/functions", "application/yaml", BodyPublishers.ofString(yaml));
    }

    /** Replicas of the function, ready and starting. */
    int replicas(String function) throws Exception {
        JsonNode replicas = send("GET", "/api/v1/functions/default/" + function, "", BodyPublishers.noBody())
                .get("replicas");
        return replicas.get("ready").asInt() + replicas.get("starting").asInt();
    }

    Target target(String name, String function) {
        return new Target(
                name,
                process.address().getPort(),
                process.process().pid(),
                "/v2/models/" + function + "/infer",
                token.map(secret -> "Authorization: Bearer " + secret + "\r\n").orElse(""));
    }

    private JsonNode send(String method, String path, String type, BodyPublisher body) throws Exception {
        var request = HttpRequest.newBuilder(process.address().resolve(path)).method(method, body);
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new AssertionError(path + " answered " + answer.statusCode() + ": " + answer.body());
            }
            return JSON.readTree(answer.body());
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
