package io.knabla.controller.gpu;

import io.knabla.controller.kill.PlatformProcess;
import io.knabla.functions.Onnx;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The assembled platform on a machine with a fake GPU, and one model of 2 MB for all of its functions. */
final class GpuPlatform implements AutoCloseable {
    private static final String ROW = String.join(",", Collections.nCopies(64, "1"));
    private static final String REQUEST =
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,64],\"datatype\":\"FP32\",\"data\":[%s]}]}".formatted(ROW);

    private static final Pattern STARTED = Pattern.compile("as process (\\d+)");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path home;
    private final PlatformProcess process;
    private final String model;

    /** @param home an empty folder */
    GpuPlatform(Path home, Map<String, String> environment) throws IOException, InterruptedException {
        this.home = home;
        process = PlatformProcess.start(home, environment);
        byte[] bytes = Onnx.mlp(64, 4000, 64).toByteArray();
        model = Sha256.of(bytes).value();
        send("/api/v1/models/" + model, "PUT", BodyPublishers.ofByteArray(bytes));
    }

    /** @param more lines of its spec */
    HttpResponse<String> deploy(String name, String more) throws IOException, InterruptedException {
        String function = """
                {"apiVersion": "knabla.dev/v1alpha1", "kind": "Function", "metadata": {"name": "%s"},
                 "spec": {"type": "Inference", "model": "%s", "timeout": "20s"%s}}
                """.formatted(name, model, more);
        return send("/api/v1/functions", "POST", BodyPublishers.ofString(function));
    }

    HttpResponse<String> call(String name) throws IOException, InterruptedException {
        return send("/v2/models/%s/infer".formatted(name), "POST", BodyPublishers.ofString(REQUEST));
    }

    String get(String path) throws IOException, InterruptedException {
        return send(path, "GET", BodyPublishers.noBody()).body();
    }

    private HttpResponse<String> send(String path, String method, BodyPublisher body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(process.address() + "/").resolve(path))
                        .header("Content-Type", "application/json")
                        .method(method, body)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Processes of the pool that wait for a function. */
    double pooled() throws IOException, InterruptedException {
        return send("/q/metrics", "GET", BodyPublishers.noBody())
                .body()
                .lines()
                .filter(line -> line.startsWith("knabla_pool_replicas"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Of a function's only replica. */
    String process(String name) throws IOException {
        Matcher started = STARTED.matcher(logs(name));
        if (!started.find()) {
            throw new IllegalStateException("no replica of %s started".formatted(name));
        }
        return started.group(1);
    }

    /** What all replicas of a function wrote. */
    String logs(String name) throws IOException {
        var text = new StringBuilder();
        try (Stream<Path> logs =
                Files.list(home.resolve("logs").resolve("default").resolve(name))) {
            for (Path log : logs.toList()) {
                text.append(Files.readString(log));
            }
        }
        return text.toString();
    }

    boolean isAlive() {
        return process.process().isAlive();
    }

    @Override
    public void close() {
        process.close();
        http.close();
    }
}
