package io.knabla.functions.unit.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.encoder.EncoderSettings.Embedding;
import io.knabla.functions.unit.encoder.EncoderSettings.Score;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncoderSettingsTest {
    private static EncoderSettings parse(String json) {
        return EncoderSettings.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsWhatItWrites() {
        var vectors = new EncoderSettings(256, 30522, 0, new Embedding(384, true, Prompts.NONE));
        var scores = new EncoderSettings(512, 250002, 1, new Score());

        assertThat(EncoderSettings.parse(vectors.toJson())).isEqualTo(vectors);
        assertThat(EncoderSettings.parse(scores.toJson())).isEqualTo(scores);
        assertThat(new String(vectors.toJson(), StandardCharsets.UTF_8))
                .isEqualTo("{\"maxTokens\":256,\"vocabulary\":30522,\"padToken\":0,\"width\":384,\"normalized\":true}");
    }

    @Test
    void readsPromptsThatItWrites() {
        var prompts = new Prompts(
                List.of(new Prompt("query", "query: ", 0), new Prompt("classify", "Kind of „it“:\n", 5)),
                Optional.of("query"));
        var settings = new EncoderSettings(256, 30522, 0, new Embedding(384, true, prompts));

        assertThat(EncoderSettings.parse(settings.toJson())).isEqualTo(settings);
        assertThat(prompts.areLeftOut()).isTrue();
        assertThat(prompts.named("classify").orElseThrow().leftOut()).isEqualTo(5);
        assertThat(prompts.named("other")).isEmpty();
    }

    @Test
    void takesFieldsInAnyOrder() {
        assertThat(parse("{\"padToken\":1,\"vocabulary\":9,\"maxTokens\":4}"))
                .isEqualTo(new EncoderSettings(4, 9, 1, new Score()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|no JSON object",
                "{\"maxTokens\":4,\"vocabulary\":9}|'padToken' is missing",
                "{\"maxTokens\":0,\"vocabulary\":9,\"padToken\":0}|maxTokens is 0",
                "{\"maxTokens\":4,\"vocabulary\":9,\"padToken\":9}|padToken is 9",
                "{\"maxTokens\":4,\"vocabulary\":9,\"padToken\":0,\"width\":0}|width is 0",
                "{\"maxTokens\":4,\"vocabulary\":9,\"padToken\":0,\"pooling\":1}|field 'pooling' is unknown",
                "{\"maxTokens\":1.5}|'maxTokens' is not a whole number",
                "{\"normalized\":1}|'normalized' is neither",
                "{\"maxTokens\":99999999999}|out of range",
                "{\"prompts\":1}|'prompts' is no list",
                "{\"prompts\":[1]}|a prompt is no JSON object",
                "{\"prompts\":[{\"name\":\"a\"}]}|a prompt needs 'name' and 'text'",
                "{\"prompts\":[{\"name\":1}]}|'name' is no text",
                "{\"prompts\":[{\"key\":\"a\"}]}|field 'key' of a prompt is unknown",
                "{\"prompts\":[{\"name\":\"a\",\"text\":\"\",\"leftOut\":-1}]}|leftOut is -1",
                "{\"maxTokens\":4,\"vocabulary\":9,\"padToken\":0,\"width\":2,\"defaultPrompt\":\"a\"}|default prompt 'a' is none",
            })
    void refusesOthers(String json, String message) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(UnitException.class).hasMessageContaining(message);
    }
}
