package io.knabla.runtime.openai.embeddings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestEncoder.Answer;
import io.knabla.runtime.openai.OpenAiReplica;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests embeddings and ranks over HTTP with small models in the engine. */
class EncoderEngineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double ROUNDING = 1e-5;
    private static final List<Answer> ANSWERS = TestEncoder.of("bert").answers();

    @TempDir
    private static Path folder;

    private static EncoderModel vectors;
    private static EncoderModel scores;
    private static OpenAiReplica embedder;
    private static OpenAiReplica ranker;

    @BeforeAll
    static void start() throws Exception {
        vectors = EncoderUnits.open("bert", folder);
        scores = EncoderUnits.open("bert-score", folder);
        embedder = OpenAiReplica.of(vectors);
        ranker = OpenAiReplica.of(scores);
    }

    @AfterAll
    static void stop() {
        embedder.close();
        ranker.close();
        vectors.close();
        scores.close();
    }

    private static JsonNode embed(ObjectNode request) throws Exception {
        request.put("model", "m");
        var answer = embedder.call("/v1/embeddings", request.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static ObjectNode input(List<Answer> texts) {
        ObjectNode request = JSON.createObjectNode();
        texts.forEach(text -> request.withArray("input").add(text.texts().getFirst()));
        return request;
    }

    private static void same(JsonNode vector, double[] expected) {
        assertThat(vector).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(vector.get(i).asDouble()).isEqualTo(expected[i], within(ROUNDING));
        }
    }

    @Test
    void vectorsAreThoseOfSentenceTransformers() throws Exception {
        JsonNode answer = embed(input(ANSWERS));

        assertThat(answer.get("object").asText()).isEqualTo("list");
        for (int i = 0; i < ANSWERS.size(); i++) {
            assertThat(answer.at("/data/%d/index".formatted(i)).asInt()).isEqualTo(i);
            same(answer.at("/data/%d/embedding".formatted(i)), ANSWERS.get(i).output());
        }
        int tokens = ANSWERS.stream().mapToInt(it -> it.ids().length).sum();
        assertThat(answer.at("/usage/prompt_tokens").asInt()).isEqualTo(tokens);
        assertThat(answer.at("/usage/total_tokens").asInt()).isEqualTo(tokens);
    }

    @Test
    void tokensStandForTheirText() throws Exception {
        ObjectNode one = JSON.createObjectNode();
        IntStream.of(ANSWERS.getFirst().ids()).forEach(one.withArray("input")::add);
        same(embed(one).at("/data/0/embedding"), ANSWERS.getFirst().output());

        ObjectNode several = JSON.createObjectNode();
        for (Answer answer : ANSWERS) {
            IntStream.of(answer.ids()).forEach(several.withArray("input").addArray()::add);
        }
        JsonNode vectors = embed(several);
        for (int i = 0; i < ANSWERS.size(); i++) {
            same(vectors.at("/data/%d/embedding".formatted(i)), ANSWERS.get(i).output());
        }
    }

    @Test
    void shortenedVectorsHaveLengthOne() throws Exception {
        JsonNode vector = embed(input(ANSWERS).put("dimensions", 7)).at("/data/0/embedding");

        assertThat(vector).hasSize(7);
        double[] whole = ANSWERS.getFirst().output();
        double length = Math.sqrt(
                IntStream.range(0, 7).mapToDouble(i -> whole[i] * whole[i]).sum());
        for (int i = 0; i < 7; i++) {
            assertThat(vector.get(i).asDouble()).isEqualTo(whole[i] / length, within(ROUNDING));
        }
    }

    @Test
    void base64HasTheSameNumbers() throws Exception {
        JsonNode listed = embed(input(ANSWERS)).at("/data/1/embedding");
        String text = embed(input(ANSWERS).put("encoding_format", "base64"))
                .at("/data/1/embedding")
                .asText();

        var numbers = ByteBuffer.wrap(Base64.getDecoder().decode(text))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        assertThat(numbers.remaining()).isEqualTo(listed.size());
        for (int i = 0; i < listed.size(); i++) {
            assertThat(numbers.get(i)).isEqualTo((float) listed.get(i).asDouble(), within(1e-7f));
        }
    }

    @Test
    void ranksDocumentsByTheirScores() throws Exception {
        List<Answer> pairs = TestEncoder.of("bert-score").answers();
        String query = pairs.get(1).texts().getFirst();
        List<Answer> wanted =
                pairs.stream().filter(it -> it.texts().getFirst().equals(query)).toList();
        ObjectNode request = JSON.createObjectNode().put("query", query).put("return_documents", true);
        wanted.forEach(it -> request.withArray("documents").add(it.texts().getLast()));
        for (String path : List.of("/rerank", "/v1/rerank")) {
            JsonNode answer =
                    JSON.readTree(ranker.call(path, request.toString()).body());

            JsonNode results = answer.get("results");
            assertThat(results).as(answer.toString()).hasSize(2).hasSize(wanted.size());
            for (JsonNode result : results) {
                Answer pair = wanted.get(result.get("index").asInt());
                assertThat(result.get("relevance_score").asDouble()).isEqualTo(pair.output()[0], within(ROUNDING));
                assertThat(result.at("/document/text").asText())
                        .isEqualTo(pair.texts().getLast());
            }
            assertThat(results.at("/0/relevance_score").asDouble())
                    .isGreaterThan(results.at("/1/relevance_score").asDouble());
            assertThat(answer.at("/usage/total_tokens").asInt())
                    .isEqualTo(wanted.stream().mapToInt(it -> it.ids().length).sum());
        }
        JsonNode best = JSON.readTree(
                ranker.call("/rerank", request.put("top_n", 1).toString()).body());
        assertThat(best.get("results")).hasSize(1);
    }

    @Test
    void eachModelHasItsOwnPaths() throws Exception {
        assertThat(embedder.call("/rerank", "{}").statusCode()).isEqualTo(404);
        assertThat(embedder.call("/v1/chat/completions", "{}").statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(ranker.call("/v1/embeddings", "{}").body())
                        .at("/error/message")
                        .asText())
                .contains("there is nothing at /v1/embeddings");
        assertThat(JSON.readTree(embedder.get("/v1/models").body())
                        .at("/data/0/id")
                        .asText())
                .isEqualTo("m");
    }
}
