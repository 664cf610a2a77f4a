package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.models.Model;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.runtime.generation.loop.TestUnits;
import io.knabla.runtime.generation.loop.TextGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** openai-java and langchain4j as their users use them, against a replica with a small model. */
class JavaClientsTest {
    private static final int SEQUENCES = 4;
    private static final int TOKENS = 24;

    @TempDir
    private static Path folder;

    private static GenerationModel model;
    private static OpenAiReplica replica;
    private static OpenAIClient openai;

    @BeforeAll
    static void start() throws Exception {
        Path unit = TestUnits.write(folder, "llama", new Precision.Float32(), SEQUENCES, SEQUENCES * TestUnits.CONTEXT);
        model = new GenerationModel(
                TextGenerator.open(unit, 1),
                Optional.of(ChatTemplate.parse(FakeGenerator.TEMPLATE)),
                FakeGenerator.KEY_VALUES);
        replica = OpenAiReplica.of(model);
        openai = OpenAIOkHttpClient.builder()
                .baseUrl(address())
                .apiKey("unused")
                .maxRetries(0)
                .build();
    }

    @AfterAll
    static void stop() {
        openai.close();
        replica.close();
        model.close();
    }

    private static String address() {
        return "http://127.0.0.1:%d/v1".formatted(replica.port);
    }

    private static ChatCompletionCreateParams.Builder chat() {
        return ChatCompletionCreateParams.builder()
                .model("m")
                .addUserMessage("hello")
                .temperature(0.0)
                .maxCompletionTokens(TOKENS);
    }

    private static String text(ChatCompletion answer) {
        return answer.choices().getFirst().message().content().orElseThrow();
    }

    private static String text(ChatCompletionChunk piece) {
        return piece.choices().stream()
                .flatMap(choice -> choice.delta().content().stream())
                .collect(Collectors.joining());
    }

    @Test
    void openAiChatsWholeAndStreamed() {
        ChatCompletion whole = openai.chat().completions().create(chat().build());

        assertThat(text(whole)).isNotEmpty();
        assertThat(whole.usage().orElseThrow().promptTokens()).isEqualTo(6);
        try (StreamResponse<ChatCompletionChunk> streamed =
                openai.chat().completions().createStreaming(chat().build())) {
            assertThat(streamed.stream().map(JavaClientsTest::text).collect(Collectors.joining()))
                    .isEqualTo(text(whole));
        }
    }

    @Test
    void openAiCompletesAndListsModels() {
        var completion = openai.completions()
                .create(CompletionCreateParams.builder()
                        .model("m")
                        .prompt("hello")
                        .n(2)
                        .logprobs(2)
                        .maxTokens(5)
                        .build());

        assertThat(completion.choices()).hasSize(2);
        assertThat(completion.choices().getFirst().logprobs()).isPresent();
        assertThat(openai.models().list().data()).extracting(Model::id).containsExactly("m");
    }

    @Test
    void openAiToldOfMistakes() {
        var endless = chat().maxCompletionTokens(1L << 31).build();
        assertThatThrownBy(() -> openai.chat().completions().create(endless))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("max_completion_tokens");
        var unknown = chat().model("other").build();
        assertThatThrownBy(() -> openai.chat().completions().create(unknown)).isInstanceOf(NotFoundException.class);
    }

    @Test
    void aClosedStreamLeavesNothingRunning() {
        for (int i = 0; i < 10; i++) {
            try (StreamResponse<ChatCompletionChunk> streamed = openai.chat()
                    .completions()
                    .createStreaming(chat().maxCompletionTokens(80).build())) {
                assertThat(streamed.stream().findFirst()).isPresent();
            }
        }
        await().atMost(Duration.ofMinutes(2)).until(() -> model.running() + model.waiting() == 0);
    }

    @Test
    void langchainChatsWholeAndStreamed() throws Exception {
        var blocking = OpenAiChatModel.builder()
                .baseUrl(address())
                .apiKey("unused")
                .modelName("m")
                .temperature(0.0)
                .maxCompletionTokens(TOKENS)
                .build();
        ChatResponse whole = blocking.chat(UserMessage.from("hello"));
        assertThat(whole.aiMessage().text())
                .isEqualTo(text(openai.chat().completions().create(chat().build())));
        assertThat(whole.tokenUsage().inputTokenCount()).isEqualTo(6);

        var streaming = OpenAiStreamingChatModel.builder()
                .baseUrl(address())
                .apiKey("unused")
                .modelName("m")
                .temperature(0.0)
                .maxCompletionTokens(TOKENS)
                .build();
        var pieces = new StringBuilder();
        var end = new CompletableFuture<ChatResponse>();
        streaming.chat("hello", new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String piece) {
                pieces.append(piece);
            }

            @Override
            public void onCompleteResponse(ChatResponse answer) {
                end.complete(answer);
            }

            @Override
            public void onError(Throwable failure) {
                end.completeExceptionally(failure);
            }
        });
        assertThat(end.get(2, TimeUnit.MINUTES).aiMessage().text())
                .isEqualTo(whole.aiMessage().text())
                .isEqualTo(pieces.toString());
    }
}
