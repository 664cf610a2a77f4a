package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Submission;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that bodies that were damaged at random are answered or refused, and never fail the replica. */
class OpenAiFuzzTest {
    private static final int BODIES = 10_000;
    private static final String[] PATHS = {"/v1/chat/completions", "/v1/completions", "/tokenize"};
    private static final String[] VALUES = {
        "null",
        "true",
        "0",
        "-1",
        "1e999",
        "NaN",
        "9223372036854775808",
        "\"\"",
        "\"a\"",
        "[]",
        "[[]]",
        "{}",
        "[null]",
        "\"\\ud800\"",
        "{\"type\":\"text\"}",
        "{\"type\":\"json_object\"}",
        "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"a\",\"schema\":{\"type\":\"string\",\"maxLength\":2}}}",
        "[1,\"a\"]",
        "0.5",
        "[{\"role\":\"user\",\"content\":\"a\"}]"
    };
    private static final String[] NAMES = {
        "model", "messages", "prompt", "stream", "stream_options", "stop", "max_tokens", "max_completion_tokens", "n",
        "temperature", "top_p", "top_k", "min_p", "seed", "logprobs", "top_logprobs", "logit_bias", "presence_penalty",
        "frequency_penalty", "repetition_penalty", "response_format", "tools", "user", "echo", "add_special_tokens", "x"
    };

    @Test
    @Timeout(300)
    void damagedBodiesAreAnsweredOrRefused() throws Exception {
        var generator = new FakeGenerator(Optional.of(FakeGenerator.TEMPLATE));
        generator.script = request ->
                new Submission.Accepted(new FakeGeneration().piece("a", 6).end(FinishReason.STOP, 1, 1));
        var random = new Random(11);
        int[] answers = new int[6];
        try (var replica = OpenAiReplica.of(GenerationModel.of(generator, FakeGenerator.KEY_VALUES))) {
            for (int i = 0; i < BODIES; i++) {
                String path = PATHS[random.nextInt(PATHS.length)];
                byte[] body = body(random);
                HttpResponse<String> answer = replica.client.send(
                        replica.request(path)
                                .POST(BodyPublishers.ofByteArray(body))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(answer.statusCode())
                        .as("%s %s: %s", path, new String(body, StandardCharsets.UTF_8), answer.body())
                        .isLessThan(500);
                answers[answer.statusCode() / 100]++;
            }
        }
        assertThat(answers[2]).isGreaterThan(BODIES / 50);
        assertThat(answers[4]).isGreaterThan(BODIES / 10);
    }

    private static byte[] body(Random random) {
        var json = new StringBuilder("{\"model\":\"m\"");
        json.append(
                random.nextBoolean() ? ",\"prompt\":\"ab\"" : ",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]");
        for (int fields = random.nextInt(4); fields > 0; fields--) {
            String name = NAMES[2 + random.nextInt(NAMES.length - 2)];
            String value = VALUES[random.nextInt(VALUES.length)];
            if (json.indexOf("\"" + name + "\"") < 0) {
                json.append(",\"").append(name).append("\":").append(value);
            }
        }
        byte[] bytes = json.append('}').toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) > 0) {
            return bytes;
        }
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        return Arrays.copyOf(bytes, bytes.length - (random.nextInt(3) == 0 ? random.nextInt(bytes.length) : 0));
    }
}
