package io.knabla.controller.aot;

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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Requests to a controller while its AOT cache is trained: the paths that the first deploy uses and, where the
 * replica's program is built already, many calls of a function. The cache keeps the profiles of the methods they run,
 * so that a new process compiles these at once.
 *
 * @param root folder of the repository; empty if no function is to be called
 */
record ControllerTrainingLoad(Optional<Path> root) {
    private static final int REQUESTS = 40_000;
    private static final int AT_ONCE = 16;

    /** The replica's program, if it is built. */
    Optional<Path> replicaHome() {
        return root.map(path -> path.resolve("runtime/target/replica"))
                .filter(home -> Files.exists(home.resolve("replica.args")));
    }

    void run(URI controller) throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (String path : List.of("/api/v1/functions", "/v2/models/none", "/q/health/ready")) {
                http.send(HttpRequest.newBuilder(controller.resolve(path)).build(), BodyHandlers.discarding());
            }
            if (replicaHome().isPresent()) {
                callFunction(http, controller);
            }
        }
    }

    private void callFunction(HttpClient http, URI controller) throws IOException, InterruptedException {
        Path sample = root.orElseThrow().resolve("functions/samples/add-sub");
        byte[] model = Files.readAllBytes(sample.resolve("add-sub.onnx"));
        String digest = "sha256:" + sha256(model);
        String function = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: training}
                spec:
                  model: %s
                  scaling: {min: 1, max: 1, concurrency: 4}
                """.formatted(digest);
        expect(
                http,
                HttpRequest.newBuilder(controller.resolve("/api/v1/models/" + digest))
                        .PUT(BodyPublishers.ofByteArray(model)));
        expect(
                http,
                HttpRequest.newBuilder(controller.resolve("/api/v1/functions"))
                        .header("Content-Type", "application/yaml")
                        .POST(BodyPublishers.ofString(function)));
        HttpRequest call = HttpRequest.newBuilder(controller.resolve("/v2/models/training/infer"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofFile(sample.resolve("request.json")))
                .build();
        for (int sent = 0; sent < REQUESTS; sent += AT_ONCE) {
            List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                answers.add(http.sendAsync(call, BodyHandlers.discarding()));
            }
            answers.forEach(CompletableFuture::join);
        }
    }

    private static void expect(HttpClient http, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(
                    "the controller answered %d in training: %s".formatted(answer.statusCode(), answer.body()));
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
