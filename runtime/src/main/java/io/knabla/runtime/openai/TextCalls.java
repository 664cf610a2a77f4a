package io.knabla.runtime.openai;

import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.TextAction;
import io.knabla.runtime.serve.ReplicaState;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Answers OpenAI's calls for chats and texts, and vLLM's for tokens. Thread-safe. */
public final class TextCalls {
    private final ReplicaState state;
    private final GenerationModel model;
    private final InstantSource clock;
    private final RandomGenerator random;

    /** @param random for requests without a seed */
    public TextCalls(ReplicaState state, GenerationModel model, InstantSource clock, RandomGenerator random) {
        this.state = state;
        this.model = model;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Answers a request whose body was read, and whose path is one of {@link TextAction}.
     *
     * @throws IOException if the client has left
     */
    public void handle(HttpExchange exchange) throws IOException {
        var answer = new TextAnswer(exchange, state, state.headersFor(exchange.request()));
        try {
            handle(exchange.request(), answer);
        } catch (RefusedException refused) {
            answer.refuse(refused.error());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            answer.refuse(ApiError.unavailable("this replica is stopping; call again"));
        }
    }

    private void handle(HttpRequest request, TextAnswer answer) throws IOException, InterruptedException {
        RequestFields fields = RequestFields.of(request.body(), request.bodyLength());
        String asked = fields.text("model").orElse(state.settings().model());
        checkModel(asked);
        switch (TextAction.of(request.path())) {
            case CHAT_COMPLETIONS -> {
                TextOptions options =
                        ChatFields.options(fields, model.settings().sampling(), random);
                List<int[]> prompts = List.of(model.prompts().ofChat(fields));
                complete(CompletionKind.CHAT, prompts, options, answer);
            }
            case COMPLETIONS -> {
                TextOptions options =
                        CompletionFields.options(fields, model.settings().sampling(), random);
                List<int[]> prompts = model.prompts().ofCompletion(fields);
                complete(CompletionKind.TEXT, prompts, options, answer);
            }
            case TOKENIZE -> answer.send(tokenized(fields), List.of(), 1);
        }
    }

    /** A function may be called NAMESPACE/NAME where several are behind one address. */
    private void checkModel(String asked) {
        String served = state.settings().model();
        if (!asked.equals(served) && !asked.endsWith("/" + served)) {
            throw new RefusedException(ApiError.unknownModel(asked, served));
        }
    }

    private HttpResponse tokenized(RequestFields fields) {
        boolean special = fields.real("add_special_tokens", 1, 0, 1) == 1;
        Optional<String> text = fields.text("prompt");
        int[] ids;
        if (text.isPresent()) {
            fields.end();
            ids = model.prompts().tokens(text.get(), special);
        } else {
            ids = model.prompts().ofChat(fields);
        }
        return HttpResponse.json(200, ApiJson.write(out -> {
            out.writeNumberField("count", ids.length);
            out.writeNumberField("max_model_len", model.settings().limits().contextLength());
            out.writeFieldName("tokens");
            out.writeArray(ids, 0, ids.length);
        }));
    }

    private void complete(CompletionKind kind, List<int[]> prompts, TextOptions options, TextAnswer answer)
            throws IOException, InterruptedException {
        checkChoices(prompts, options);
        Texts texts = Texts.submit(model.generator(), prompts, options);
        answer.onClientGone(texts::cancel);
        var json = new CompletionJson(
                kind,
                kind.id(answer.id()),
                clock.instant().getEpochSecond(),
                state.settings().model(),
                options.logprobs() < 0
                        ? null
                        : new LogprobJson(model.generator().tokenizer()));
        if (options.isStreamed()) {
            answer.stream(json, texts, options);
            return;
        }
        List<CompletedText> completed = WholeAnswer.of(texts);
        List<TokenUsage> usages = completed.stream().map(CompletedText::usage).toList();
        var usage = CompletionJson.Usage.of(usages, options.choices());
        answer.send(HttpResponse.json(200, json.whole(completed, usage)), usages, options.choices());
    }

    private static void checkChoices(List<int[]> prompts, TextOptions options) {
        if (prompts.size() * options.choices() > TextOptions.MOST_CHOICES) {
            throw new RefusedException(ApiError.invalid(
                    "n",
                    "asks for %d texts of %d prompts; one request may have %d texts in all"
                            .formatted(options.choices(), prompts.size(), TextOptions.MOST_CHOICES)));
        }
    }
}
