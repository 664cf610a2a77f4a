package io.knabla.runtime.openai.embeddings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestEncoder.Answer;
import io.knabla.runtime.openai.OpenAiReplica;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prompts over HTTP, of a model that leaves their tokens out and has {@code query} as the default. */
class EncoderPromptsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Answer> ANSWERS = TestEncoder.of("bert-prompt").answers();

    @TempDir
    private static Path folder;

    private static EncoderModel model;
    private static OpenAiReplica replica;

    @BeforeAll
    static void start() throws Exception {
        model = EncoderUnits.open("bert-prompt", folder);
        replica = OpenAiReplica.of(model);
    }

    @AfterAll
    static void stop() {
        replica.close();
        model.close();
    }

    private static List<Answer> with(Optional<String> prompt) {
        return ANSWERS.stream().filter(it -> it.prompt().equals(prompt)).toList();
    }

    private static ObjectNode input(List<Answer> texts) {
        ObjectNode request = JSON.createObjectNode().put("model", "m");
        texts.forEach(text -> request.withArray("input").add(text.texts().getFirst()));
        return request;
    }

    private static void answers(ObjectNode request, List<Answer> expected) throws Exception {
        HttpResponse<String> answer = replica.call("/v1/embeddings", request.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode json = JSON.readTree(answer.body());
        for (int i = 0; i < expected.size(); i++) {
            JsonNode vector = json.at("/data/%d/embedding".formatted(i));
            double[] output = expected.get(i).output();
            assertThat(vector).hasSize(output.length);
            for (int at = 0; at < output.length; at++) {
                assertThat(vector.get(at).asDouble()).isEqualTo(output[at], within(1e-5));
            }
        }
        assertThat(json.at("/usage/prompt_tokens").asInt())
                .isEqualTo(expected.stream().mapToInt(it -> it.ids().length).sum());
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "document", "fox"})
    void aRequestNamesAPrompt(String name) throws Exception {
        List<Answer> expected = with(Optional.of(name));
        answers(input(expected).put("prompt_name", name), expected);
    }

    @Test
    void aRequestWithoutANameHasTheDefaultPrompt() throws Exception {
        answers(input(ANSWERS.subList(0, 7)), with(Optional.of("query")));
    }

    @Test
    void anEmptyNameAsksForNone() throws Exception {
        List<Answer> expected = with(Optional.empty());
        answers(input(expected).put("prompt_name", ""), expected);
    }

    @Test
    void idsOfTokensAreTakenAsTheyAre() throws Exception {
        Answer bare = with(Optional.empty()).getFirst();
        Answer query = with(Optional.of("query")).getFirst();
        ObjectNode request = input(List.of(query));
        IntStream.of(bare.ids()).forEach(request.withArray("input").addArray()::add);

        answers(request, List.of(query, bare));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'input':'a','prompt_name':'queries'|prompt_name|'prompt_name' is 'queries'; the prompts of this model are 'query', 'document', 'fox'",
                "'input':[[1,2]],'prompt_name':'query'|prompt_name|'input' has ids of tokens; leave it out, or send strings",
                "'input':['a',[1]],'prompt_name':'fox'|prompt_name|'input' has ids of tokens",
                "'input':['a',''],'prompt_name':'fox'|input|'input[1]' is an empty string",
            })
    void wrongPromptsAreRefused(String fields, String param, String message) throws Exception {
        HttpResponse<String> answer = replica.call("/v1/embeddings", "{'model':'m'," + fields + "}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        JsonNode error = JSON.readTree(answer.body()).get("error");
        assertThat(error.get("message").asText()).contains(message);
        assertThat(error.get("param").asText()).isEqualTo(param);
    }

    @Test
    void aTextThatIsTooLongOnlyBehindItsPromptIsRefused() throws Exception {
        ObjectNode request = JSON.createObjectNode().put("model", "m").put("input", "a ".repeat(77));
        assertThat(replica.call("/v1/embeddings", request.put("prompt_name", "").toString())
                        .statusCode())
                .isEqualTo(200);

        HttpResponse<String> answer = replica.call(
                "/v1/embeddings", request.put("prompt_name", "query").toString());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).at("/error/message").asText())
                .contains("tokens behind its prompt 'query'; the model takes 80 at most");
    }
}
