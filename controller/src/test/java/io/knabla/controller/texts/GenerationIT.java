package io.knabla.controller.texts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.kill.PlatformProcess;
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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small language model, packaged, served and called on the platform as people install it. */
class GenerationIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String ASK = """
            {"model": "default/writer", "prompt": "Hello", "max_tokens": 12, "temperature": 0.8, "seed": 7%s}
            """;

    @TempDir
    static Path folder;

    private static PlatformProcess platform;

    @BeforeAll
    static void deploy() throws Exception {
        Path model = TextModel.write(folder.resolve("model"), 128);
        platform = PlatformProcess.start(Files.createDirectory(folder.resolve("home")));
        ObjectNode function = JSON.createObjectNode();
        function.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        function.putObject("metadata").put("name", "writer");
        ObjectNode spec = function.putObject("spec").put("type", "Generation");
        spec.put("model", upload(model.resolve("config.json")));
        ObjectNode others = spec.putObject("externalData");
        for (String name : List.of("model.safetensors", "tokenizer.json", "tokenizer_config.json")) {
            others.put(name, upload(model.resolve(name)));
        }
        HttpResponse<String> deployed = send("/api/v1/functions", "POST", BodyPublishers.ofString(function.toString()));
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
    }

    private static String upload(Path file) throws IOException, InterruptedException {
        try (var in = Files.newInputStream(file)) {
            String digest = Sha256.of(in).value();
            send("/api/v1/models/" + digest, "PUT", BodyPublishers.ofFile(file));
            return digest;
        }
    }

    private static HttpResponse<String> send(String path, String method, BodyPublisher body)
            throws IOException, InterruptedException {
        URI place = platform.address().resolve(path);
        return HTTP.send(
                HttpRequest.newBuilder(place)
                        .header("Content-Type", "application/json")
                        .method(method, body)
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String json) throws Exception {
        return send(path, "POST", BodyPublishers.ofString(json));
    }

    @Test
    void equalSeedsGiveEqualTextsWholeAndStreamed() throws Exception {
        JsonNode whole =
                JSON.readTree(post("/v1/completions", ASK.formatted("")).body());
        String text = whole.at("/choices/0/text").asText();
        assertThat(text).as(whole.toString()).hasSize(12);
        assertThat(whole.at("/usage/prompt_tokens").asInt()).isEqualTo(5);
        assertThat(whole.at("/usage/completion_tokens").asInt()).isEqualTo(12);

        HttpResponse<String> streamed =
                post("/functions/default/writer/v1/completions", ASK.formatted(", \"stream\": true"));
        assertThat(streamed.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        assertThat(streamed.body().strip()).endsWith("data: [DONE]");
        var pieces = new StringBuilder();
        for (String line :
                streamed.body().lines().filter(it -> it.startsWith("data: {")).toList()) {
            pieces.append(JSON.readTree(line.substring("data: ".length()))
                    .at("/choices/0/text")
                    .asText());
        }
        assertThat(pieces.toString()).isEqualTo(text);
    }

    @Test
    void aChatIsWhatItsTemplateMakesOfIt() throws Exception {
        String settings = "\"model\": \"writer\", \"max_tokens\": 8, \"temperature\": 0";
        JsonNode chat = JSON.readTree(post(
                        "/v1/chat/completions",
                        "{%s, \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}".formatted(settings))
                .body());
        JsonNode text = JSON.readTree(post("/v1/completions", "{%s, \"prompt\": \"Hello\"}".formatted(settings))
                .body());

        assertThat(chat.at("/choices/0/message/content").asText())
                .as(chat.toString())
                .isEqualTo(text.at("/choices/0/text").asText())
                .isNotEmpty();
    }

    @Test
    void refusalsNameWhatIsWrong() throws Exception {
        HttpResponse<String> many = post(
                "/functions/default/writer/v1/completions",
                "{\"model\": \"writer\", \"prompt\": \"a\", \"n\": 1000, \"temperatur\": 1}");
        assertThat(many.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(many.body()).at("/error/message").asText()).contains("'n' is 1000", "temperature");

        HttpResponse<String> large = post(
                "/functions/default/writer/v1/completions",
                "{\"model\": \"writer\", \"prompt\": \"%s\"}".formatted("a".repeat(1000)));
        assertThat(large.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(large.body()).at("/error/code").asText()).isEqualTo("context_length_exceeded");
    }

    @Test
    void aFolderThatCannotBePackagedIsRefused() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"architectures\": [\"Gpt9\"]}");
        HttpResponse<String> refused = post("/api/v1/functions", """
                {"apiVersion": "knabla.dev/v1alpha1", "kind": "Function", "metadata": {"name": "broken"},
                 "spec": {"type": "Generation", "model": "%s"}}""".formatted(upload(broken)));

        assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 422);
        assertThat(JSON.readTree(refused.body()).path("faults").findValuesAsText("path"))
                .hasSizeGreaterThan(2)
                .containsOnly("spec.model");
        assertThat(refused.body()).contains("unknown architecture 'Gpt9'", "tokenizer.json", "model.safetensors");
    }
}
