package io.knabla.controller.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.verbs.CommandLines;
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
import java.util.ArrayList;
import java.util.List;

/** Client of one platform: deploys functions with the command line and calls them over HTTP. */
public final class FunctionClient {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Samples of this repository. */
    public static final Path SAMPLES =
            Path.of("").toAbsolutePath().getParent().resolve("functions").resolve("samples");

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI platform;

    public FunctionClient(URI platform) {
        this.platform = platform;
    }

    /** Runs one CLI command, which must succeed. */
    public void knabla(String... verb) {
        List<String> all = new ArrayList<>(List.of(verb));
        all.addAll(List.of("--server", platform.toString(), "-q"));
        assertThat(CommandLines.make(_ -> 1).execute(all.toArray(String[]::new)))
                .as("./knabla %s", String.join(" ", verb))
                .isZero();
    }

    public void deploySample(String name) {
        knabla("deploy", "-f", SAMPLES.resolve(name).resolve("function.yaml").toString());
    }

    public JsonNode infer(String name, String request) {
        return good(post("/v2/models/" + name + "/infer", request));
    }

    public JsonNode get(String path) {
        return good(send("GET", path, BodyPublishers.noBody()));
    }

    public HttpResponse<String> post(String path, String body) {
        return send("POST", path, BodyPublishers.ofString(body));
    }

    public HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body) {
        var request = HttpRequest.newBuilder(platform.resolve(path))
                .timeout(Duration.ofMinutes(3))
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    public static JsonNode good(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        try {
            return JSON.readTree(answer.body());
        } catch (IOException notJson) {
            throw new UncheckedIOException(notJson);
        }
    }

    /** Output of a response by name. */
    public static JsonNode output(JsonNode answer, String name) {
        for (JsonNode output : answer.path("outputs")) {
            if (output.path("name").asText().equals(name)) {
                return output;
            }
        }
        throw new AssertionError("no output '" + name + "' in " + answer);
    }

    public static double[] numbers(JsonNode output) {
        List<Double> flat = new ArrayList<>();
        flatten(output.path("data"), flat);
        return flat.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static void flatten(JsonNode data, List<Double> into) {
        if (data.isArray()) {
            data.forEach(item -> flatten(item, into));
        } else {
            into.add(data.asDouble());
        }
    }
}
