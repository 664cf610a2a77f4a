package io.knabla.controller.texts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestEncoder.Answer;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
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

/** Small encoders, packaged, served and called on the platform as people install it. */
class EncoderIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final double ROUNDING = 1e-5;

    @TempDir
    static Path folder;

    private static PlatformProcess platform;

    @BeforeAll
    static void deploy() throws Exception {
        platform = PlatformProcess.start(Files.createDirectory(folder.resolve("home")));
        deploy("embedder", "roberta");
        deploy("ranker", "xlm-roberta-score");
    }

    private static void deploy(String name, String encoder) throws Exception {
        Path model = TestEncoder.of(encoder).write(folder.resolve(encoder));
        ObjectNode function = JSON.createObjectNode();
        function.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        function.putObject("metadata").put("name", name);
        ObjectNode spec = function.putObject("spec").put("type", "Encoder");
        spec.put("model", upload(model.resolve(FolderFiles.CONFIG)));
        ObjectNode others = spec.putObject("externalData");
        for (String file : FolderFiles.others(model, FunctionType.Encoder)) {
            others.put(file, upload(model.resolve(file)));
        }
        HttpResponse<String> deployed = post("/api/v1/functions", function.toString());
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
    void embedsTextsUnderTheFunctionsName() throws Exception {
        List<Answer> answers = TestEncoder.of("roberta").answers();
        ObjectNode request = JSON.createObjectNode().put("model", "default/embedder");
        answers.forEach(answer -> request.withArray("input").add(answer.texts().getFirst()));

        JsonNode answer =
                JSON.readTree(post("/v1/embeddings", request.toString()).body());

        for (int i = 0; i < answers.size(); i++) {
            JsonNode vector = answer.at("/data/%d/embedding".formatted(i));
            double[] expected = answers.get(i).output();
            assertThat(vector).as(answer.toString()).hasSize(expected.length);
            for (int at = 0; at < expected.length; at++) {
                assertThat(vector.get(at).asDouble()).isEqualTo(expected[at], within(ROUNDING));
            }
        }
    }

    @Test
    void ranksDocuments() throws Exception {
        Answer pair = TestEncoder.of("xlm-roberta-score").answers().getFirst();
        ObjectNode request = JSON.createObjectNode().put("model", "ranker");
        request.put("query", pair.texts().getFirst());
        request.putArray("documents").add(pair.texts().getLast());

        for (String path : List.of("/v1/rerank", "/rerank", "/functions/default/ranker/rerank")) {
            JsonNode answer = JSON.readTree(post(path, request.toString()).body());
            assertThat(answer.at("/results/0/relevance_score").asDouble())
                    .as(answer.toString())
                    .isEqualTo(pair.output()[0], within(ROUNDING));
        }
    }

    @Test
    void refusalsHaveTheFormThatClientsRead() throws Exception {
        HttpResponse<String> ranks = post("/v1/rerank", "{\"model\": \"embedder\", \"query\": \"a\"}");
        assertThat(ranks.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(ranks.body()).at("/error/message").asText()).contains("nothing at /v1/rerank");

        HttpResponse<String> tensors = send("/v2/models/embedder", "GET", BodyPublishers.noBody());
        assertThat(tensors.statusCode()).isEqualTo(400);
        assertThat(tensors.body()).contains("call POST /v1/embeddings or /rerank");
    }
}
