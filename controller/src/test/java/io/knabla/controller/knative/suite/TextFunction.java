package io.knabla.controller.knative.suite;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.decoder.CharacterModel;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;

/** A function that generates text, called through Knative's data path as an OpenAI client calls it. */
final class TextFunction implements AutoCloseable {
    static final String NAME = "writer";

    /** Most tokens of a prompt and its text. */
    static final int CONTEXT = 4096;

    /** Last event of a text that is whole. */
    static final String END = "data: [DONE]";

    private static final String EVENT = "data: {";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Functions functions;
    private final String name;
    private final URI address;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    TextFunction(Functions functions) {
        this(functions, NAME);
    }

    TextFunction(Functions functions, String name) {
        this.functions = functions;
        this.name = name;
        this.address = URI.create(
                Objects.requireNonNull(functions.get(name).getStatus().url()));
    }

    /** For the command line, in a namespace; its model is written to an empty folder. */
    static ObjectNode document(String namespace, Path folder) throws IOException {
        return document(namespace, NAME, CharacterModel.write(folder, CONTEXT));
    }

    static ObjectNode document(String namespace, String name, Path model) {
        ObjectNode document = Functions.JSON.createObjectNode();
        document.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        document.putObject("metadata").put("name", name).put("namespace", namespace);
        ObjectNode spec = document.putObject("spec");
        spec.put("type", "Generation").put("model", model + "/");
        // Beside drills, a small node has no whole processor left for a replica, and it would start after its timeout.
        spec.putObject("resources").put("cpu", Functions.LITTLE_CPU);
        return document;
    }

    /** Returns as soon as the text begins; to close the answer's body is to leave. */
    HttpResponse<InputStream> begin(int tokens) throws IOException {
        return send(tokens, "\"stream\": true, \"stream_options\": {\"include_usage\": true}");
    }

    /** Returns after so many texts of one request are whole. */
    void write(int texts, int tokens) throws IOException {
        whole(send(tokens, "\"n\": " + texts));
    }

    /** The text that follows a prompt. */
    String write(String prompt, int tokens) throws IOException {
        return Functions.JSON
                .readTree(whole(send(prompt, tokens, "\"n\": 1")))
                .at("/choices/0/text")
                .asText();
    }

    private HttpResponse<InputStream> send(int tokens, String more) throws IOException {
        return send("Hello", tokens, more);
    }

    private HttpResponse<InputStream> send(String prompt, int tokens, String more) throws IOException {
        // The most probable tokens of a model without training soon are those that end a text.
        String body = """
                {"model": "%s", "prompt": "%s", "max_tokens": %d, "temperature": 0.8, "seed": 7,
                 "logit_bias": {"2": -100}, %s}
                """.formatted(name, prompt, tokens, more);
        return send(request("/v1/completions")
                .header("Content-Type", "application/json")
                .POST(chunked(body)));
    }

    /**
     * Without a length. The test cluster's ingress is a proxy in Go, which closes the connection of a stream that
     * begins before it has looked for more than that length (golang/go#40747).
     */
    private static BodyPublisher chunked(String body) {
        return BodyPublishers.fromPublisher(BodyPublishers.ofString(body));
    }

    /** Metrics of one replica. */
    String metrics() throws IOException {
        return whole(send(request("/metrics")));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(TestCluster.ingress().resolve(path))
                .timeout(PATIENCE)
                .header("Host", address.getHost());
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", stopped);
        }
    }

    /** All events of a text, a line each. */
    String stream(int tokens) throws IOException {
        return whole(begin(tokens));
    }

    private String whole(HttpResponse<InputStream> answer) throws IOException {
        String body = read(answer.body());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + body);
        }
        return body;
    }

    private String read(InputStream body) throws IOException {
        try {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException broken) {
            throw new IOException("the stream broke; its pods said:\n" + functions.logs(name), broken);
        }
    }

    /** The text that was streamed. */
    static String text(String stream) {
        return stream.lines()
                .filter(line -> line.startsWith(EVENT))
                .map(TextFunction::piece)
                .collect(Collectors.joining());
    }

    private static String piece(String event) {
        try {
            return Functions.JSON
                    .readTree(event.substring(event.indexOf('{')))
                    .at("/choices/0/text")
                    .asText();
        } catch (IOException none) {
            throw new AssertionError("no JSON: " + event, none);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
