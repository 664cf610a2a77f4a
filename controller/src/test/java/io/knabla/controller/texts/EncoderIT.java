package io.knabla.controller.texts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestEncoder.Answer;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small encoders, packaged, served and called on the platform as people install it. */
class EncoderIT {
    private static final JsonMapper JSON = TextPlatform.JSON;
    private static final double ROUNDING = 1e-5;

    @TempDir
    static Path folder;

    private static TextPlatform platform;

    @BeforeAll
    static void deploy() throws Exception {
        platform = new TextPlatform(Files.createDirectory(folder.resolve("home")));
        deploy("embedder", "roberta");
        deploy("ranker", "xlm-roberta-score");
    }

    private static void deploy(String name, String encoder) throws Exception {
        Path model = TestEncoder.of(encoder).write(folder.resolve(encoder));
        HttpResponse<String> deployed = platform.deploy(name, FunctionType.Encoder, model);
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
    }

    @Test
    void embedsTextsUnderTheFunctionsName() throws Exception {
        List<Answer> answers = TestEncoder.of("roberta").answers();
        ObjectNode request = JSON.createObjectNode().put("model", "default/embedder");
        answers.forEach(answer -> request.withArray("input").add(answer.texts().getFirst()));

        JsonNode answer = JSON.readTree(
                platform.post("/v1/embeddings", request.toString()).body());

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
            JsonNode answer =
                    JSON.readTree(platform.post(path, request.toString()).body());
            assertThat(answer.at("/results/0/relevance_score").asDouble())
                    .as(answer.toString())
                    .isEqualTo(pair.output()[0], within(ROUNDING));
        }
    }

    @Test
    void refusalsHaveTheFormThatClientsRead() throws Exception {
        HttpResponse<String> ranks = platform.post("/v1/rerank", "{\"model\": \"embedder\", \"query\": \"a\"}");
        assertThat(ranks.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(ranks.body()).at("/error/message").asText()).contains("nothing at /v1/rerank");

        HttpResponse<String> tensors = platform.get("/v2/models/embedder");
        assertThat(tensors.statusCode()).isEqualTo(400);
        assertThat(tensors.body()).contains("call POST /v1/embeddings or /rerank");
    }
}
