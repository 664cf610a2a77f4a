package io.knabla.runtime.openai.embeddings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.runtime.openai.OpenAiReplica;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each wrong request is refused with a sentence that names its field. */
class EncoderFaultsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BODIES = 2_000;
    private static final String[] VALUES = {
        "null",
        "true",
        "0",
        "-1",
        "1e999",
        "NaN",
        "\"\"",
        "\"a\"",
        "[]",
        "[[]]",
        "{}",
        "[null]",
        "\"\\ud800\"",
        "[1,\"a\"]",
        "[1,2]",
        "[[1],[2,3]]",
        "[[1,2],[3,4]]",
        "0.5",
        "[\"a\",\"b c\"]",
        "\"base64\""
    };
    private static final String[] NAMES = {
        "input",
        "prompt_name",
        "dimensions",
        "encoding_format",
        "user",
        "query",
        "documents",
        "top_n",
        "return_documents",
        "x"
    };

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

    private static void refused(HttpResponse<String> answer, String param, String message) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        JsonNode error = JSON.readTree(answer.body()).get("error");
        assertThat(error.get("message").asText()).contains(message);
        assertThat(error.get("type").asText()).isEqualTo("invalid_request_error");
        assertThat(error.get("param").asText()).isEqualTo(param);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'model':'m'|input|'input' must be a string",
                "'input':'a'|model|'model' is missing; it names the function: 'm'",
                "'model':'m','input':[]|input|and not empty",
                "'model':'m','input':[[]]|input|and not empty",
                "'model':'m','input':''|input|'input' is an empty string",
                "'model':'m','input':['a','']|input|'input[1]' is an empty string",
                "'model':'m','input':['a',1]|input|'input' must be",
                "'model':'m','input':{'text':'a'}|input|'input' must be",
                "'model':'m','input':[1.5]|input|'input' has 1.5 at 0; the id of a token is 0 to 199",
                "'model':'m','input':[[1],[2,200]]|input|'input[1]' has 200 at 1",
                "'model':'m','input':[NaN]|input|has NaN",
                "'model':'m','input':'a\\ud800b'|input|half of a character",
                "'model':'m','input':'a','dimensions':0|dimensions|'dimensions' is 0; it must be a whole number from 1 to 48",
                "'model':'m','input':'a','dimensions':49|dimensions|'dimensions' is 49",
                "'model':'m','input':'a','encoding_format':'hex'|encoding_format|must be 'float' or 'base64'",
                "'model':'m','input':'a','prompt_name':'query'|prompt_name|'query'; this model has no prompts; leave it out",
                "'model':'m','input':'a','prompt_name':1|prompt_name|'prompt_name' must be a string",
                "'model':'m','input':'a','dimension':3|dimension|the nearest is 'dimensions'",
            })
    void embeddings(String fields, String param, String message) throws Exception {
        refused(embedder.call("/v1/embeddings", "{" + fields + "}"), param, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'documents':['a']|query|'query' is missing",
                "'query':'a'|documents|'documents' must be a list of strings",
                "'query':'a','documents':[]|documents|and not empty",
                "'query':'a','documents':['b',2]|documents|must be a list of strings",
                "'query':'','documents':['b']|query|'query' is an empty string",
                "'query':'a','documents':['b','']|documents|'documents[1]' is an empty string",
                "'query':'a','documents':['b'],'top_n':0|top_n|'top_n' is 0",
                "'query':'a','documents':['b'],'return_documents':'yes'|return_documents|must be true or false",
                "'query':'a','documents':['b'],'top_k':1|top_k|the nearest is 'top_n'",
            })
    void ranks(String fields, String param, String message) throws Exception {
        refused(ranker.call("/rerank", "{" + fields + "}"), param, message);
    }

    @Test
    void tellsHowLongATextMayBe() throws Exception {
        for (int words : new int[] {100, 1_000, 4_000_000}) {
            HttpResponse<String> answer =
                    embedder.call("/v1/embeddings", "{'model':'m','input':['fox','" + "a ".repeat(words) + "']}");
            refused(answer, "input", "'input[1]' has");
            assertThat(JSON.readTree(answer.body()).at("/error/code").asText()).isEqualTo("context_length_exceeded");
        }
    }

    @Test
    void tellsHowManyTextsThereMayBe() throws Exception {
        String texts = "['a'" + ",'a'".repeat(4_999) + "]";
        refused(
                embedder.call("/v1/embeddings", "{'model':'m','input':" + texts + "}"),
                "input",
                "'input' has 5000 texts; at most 2048 are allowed");
        refused(
                ranker.call("/rerank", "{'query':'a','documents':" + texts + "}"),
                "documents",
                "'documents' has 5000 texts");
    }

    @Test
    void anotherModelIsNotFound() throws Exception {
        HttpResponse<String> answer = embedder.call("/v1/embeddings", "{'model':'other','input':'a'}");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(answer.body()).at("/error/code").asText()).isEqualTo("model_not_found");
    }

    @Test
    void damagedBodiesAreAnsweredOrRefused() throws Exception {
        var random = new Random(7);
        int[] answers = new int[6];
        for (int i = 0; i < BODIES; i++) {
            boolean embeds = random.nextBoolean();
            byte[] body = body(random);
            HttpResponse<String> answer = embedder.client.send(
                    (embeds ? embedder : ranker)
                            .request(embeds ? "/v1/embeddings" : "/rerank")
                            .POST(BodyPublishers.ofByteArray(body))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as("%s: %s", new String(body, StandardCharsets.UTF_8), answer.body())
                    .isLessThan(500);
            answers[answer.statusCode() / 100]++;
        }
        assertThat(answers[2]).isGreaterThan(BODIES / 50);
        assertThat(answers[4]).isGreaterThan(BODIES / 10);
    }

    private static byte[] body(Random random) {
        var json = new StringBuilder("{\"model\":\"m\"");
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                json.append(",\"%s\":%s".formatted(name, VALUES[random.nextInt(VALUES.length)]));
            }
        }
        if (random.nextBoolean()) {
            return "{\"model\":\"m\",\"%s\":%s}"
                    .formatted("input", VALUES[random.nextInt(VALUES.length)])
                    .getBytes(StandardCharsets.UTF_8);
        }
        byte[] bytes = json.append('}').toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
