package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.runtime.generation.loop.TestUnits;
import io.knabla.runtime.generation.loop.TextGenerator;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the OpenAI API with a real generator of a small model. */
class OpenAiEngineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SEQUENCES = 4;

    @TempDir
    private static Path folder;

    private static GenerationModel model;
    private static OpenAiReplica replica;

    @BeforeAll
    static void start() throws Exception {
        Path unit = TestUnits.write(folder, "llama", new Precision.Float32(), SEQUENCES, SEQUENCES * TestUnits.CONTEXT);
        model = new GenerationModel(
                TextGenerator.open(unit, 1),
                Optional.of(ChatTemplate.parse(FakeGenerator.TEMPLATE)),
                FakeGenerator.KEY_VALUES);
        replica = OpenAiReplica.of(model);
    }

    @AfterAll
    static void stop() {
        replica.close();
        model.close();
    }

    private static String body(String more) {
        return "{'model':'m','messages':[{'role':'user','content':'hello'}],'max_tokens':24," + more + "}";
    }

    private static List<String> texts(String more) throws Exception {
        JsonNode answer =
                JSON.readTree(replica.call("/v1/chat/completions", body(more)).body());
        List<String> texts = new ArrayList<>();
        answer.get("choices")
                .forEach(choice -> texts.add(choice.at("/message/content").asText()));
        assertThat(answer.at("/usage/prompt_tokens").asInt()).isEqualTo(6);
        return texts;
    }

    private static String streamed(String events) throws Exception {
        var text = new StringBuilder();
        assertThat(events).endsWith("data: [DONE]\n\n");
        for (String event : events.split("\n\n")) {
            if (event.startsWith("data: {")) {
                text.append(JSON.readTree(event.substring(6))
                        .at("/choices/0/delta/content")
                        .asText());
            }
        }
        return text.toString();
    }

    @Test
    void aStreamHasTheTextOfTheWholeAnswer() throws Exception {
        for (String more : List.of("'temperature':0", "'seed':3", "'seed':4,'top_p':0.9,'logprobs':true")) {
            String whole = texts(more).getFirst();
            assertThat(whole).isNotEmpty();
            String events = replica.call("/v1/chat/completions", body(more + ",'stream':true"))
                    .body();
            assertThat(streamed(events)).isEqualTo(whole);
        }
    }

    @Test
    void furtherTextsHaveTheNextSeeds() throws Exception {
        assertThat(texts("'seed':10,'n':3"))
                .containsExactly(
                        texts("'seed':10").getFirst(),
                        texts("'seed':11").getFirst(),
                        texts("'seed':12").getFirst());
    }

    @Test
    void manyStreamsAtOnceHaveTheirOwnTexts() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int seed = 0; seed < 16; seed++) {
            calls.add(replica.client.sendAsync(
                    replica.post("/v1/chat/completions", body("'stream':true,'seed':" + seed)),
                    BodyHandlers.ofString()));
        }
        for (int seed = 0; seed < 16; seed++) {
            assertThat(streamed(calls.get(seed).get().body()))
                    .isEqualTo(texts("'seed':" + seed).getFirst());
        }
    }

    @Test
    void logprobsAreThoseOfTheText() throws Exception {
        JsonNode answer = JSON.readTree(replica.call(
                        "/v1/completions", "{'model':'m','prompt':'hello','temperature':0,'logprobs':3,'max_tokens':5}")
                .body());
        JsonNode logprobs = answer.at("/choices/0/logprobs");
        assertThat(logprobs.get("tokens")).hasSameSizeAs(logprobs.get("text_offset"));
        logprobs.get("token_logprobs").forEach(one -> assertThat(one.asDouble()).isNegative());
        logprobs.get("top_logprobs").forEach(one -> assertThat(one.size()).isEqualTo(3));
    }

    @Test
    void aStopTextEndsTheText() throws Exception {
        String whole = texts("'temperature':0").getFirst();
        String stop = whole.substring(4, 6);
        assertThat(texts("'temperature':0,'stop':'" + stop + "'").getFirst())
                .isEqualTo(whole.substring(0, whole.indexOf(stop)));
    }

    @Test
    void metricsTellTimesOfTexts() throws Exception {
        texts("'temperature':0");
        String metrics = replica.get("/metrics").body();
        assertThat(metrics)
                .contains(
                        "# TYPE knabla_time_to_first_token_seconds histogram",
                        "knabla_time_to_first_token_seconds_bucket{model=\"m\",version=\"1\",le=\"+Inf\"} ",
                        "knabla_time_per_output_token_seconds_count{",
                        "knabla_inter_token_latency_seconds_sum{",
                        "knabla_request_queue_time_seconds_count{",
                        "knabla_sequences_running{model=\"m\",version=\"1\"} ",
                        "knabla_sequences_waiting{",
                        "knabla_kv_cache_used_bytes{",
                        "knabla_preemptions_total{model=\"m\",version=\"1\"} 0\n",
                        "knabla_kv_cache_budget_bytes{model=\"m\",version=\"1\"} %d\n"
                                .formatted(model.generator().statistics().kvBytesBudget()))
                .doesNotContain("knabla_objectives");
    }

    @Test
    void whoLeavesLeavesNothingRunning() throws Exception {
        String body = "{\"model\":\"m\",\"prompt\":\"hello\",\"stream\":true,\"max_tokens\":80,\"n\":4}";
        for (int i = 0; i < 20; i++) {
            try (var socket = new Socket("127.0.0.1", replica.port)) {
                socket.getOutputStream()
                        .write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length()
                                        + "\r\n\r\n" + body)
                                .getBytes(StandardCharsets.US_ASCII));
                if (i % 2 == 0) {
                    assertThat(socket.getInputStream().read()).isPositive();
                }
            }
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> model.running() + model.waiting() == 0);
        assertThat(texts("'temperature':0").getFirst()).isNotEmpty();
    }
}
