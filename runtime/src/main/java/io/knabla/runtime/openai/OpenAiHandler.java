package io.knabla.runtime.openai;

import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.paths.TextPaths;
import io.knabla.runtime.protocol.JsonWriter;
import io.knabla.runtime.serve.ReplicaState;
import java.io.IOException;

/** Answers requests with a loaded language model. */
final class OpenAiHandler implements TextHandler {
    private final ReplicaState state;
    private final String name;
    private final GenerationModel model;
    private final TaskReader reader;
    private final PrefixAnswer prefixes;
    private final TextAnswers answers;

    OpenAiHandler(ReplicaState state, GenerationModel model) {
        this.state = state;
        this.name = state.settings().model();
        this.model = model;
        this.reader = new TaskReader(name, model);
        this.prefixes = new PrefixAnswer(model, reader.encoder());
        this.answers = new TextAnswers(state);
    }

    @Override
    public boolean answers(String path) {
        return switch (path) {
            case TextPaths.CHAT_COMPLETIONS,
                    TextPaths.COMPLETIONS,
                    TextPaths.TOKENIZE,
                    TextPaths.PREFIX_BLOCKS,
                    TextAnswers.MODELS -> true;
            default -> false;
        };
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        switch (exchange.request().path()) {
            case TextPaths.CHAT_COMPLETIONS -> chat(exchange);
            case TextPaths.COMPLETIONS -> completion(exchange);
            case TextPaths.TOKENIZE -> tokenize(exchange);
            case TextPaths.PREFIX_BLOCKS -> prefix(exchange);
            default -> answers.models(exchange);
        }
    }

    /** Reads a request for texts. */
    private interface Reading {
        AnswerTask read(HttpRequest request);
    }

    private void chat(HttpExchange exchange) throws IOException {
        answers.answer(exchange, headers -> generate(exchange, reader::chat, headers));
    }

    private void completion(HttpExchange exchange) throws IOException {
        answers.answer(exchange, headers -> generate(exchange, reader::completion, headers));
    }

    private void tokenize(HttpExchange exchange) throws IOException {
        answers.answer(exchange, headers -> {
            int[] ids = reader.tokens(exchange.request());
            JsonWriter json =
                    new JsonWriter(64 + 6 * ids.length).raw("{\"count\":").number(ids.length);
            json.raw(",\"max_model_len\":")
                    .number(model.generator().settings().limits().contextLength())
                    .raw(",\"tokens\":[");
            for (int i = 0; i < ids.length; i++) {
                json.raw(i > 0 ? "," : "").number(ids[i]);
            }
            TextAnswers.respond(exchange, json.raw("]}"), headers);
        });
    }

    private void prefix(HttpExchange exchange) throws IOException {
        answers.answer(exchange, headers -> {
            TokenUsage usage = prefixes.send(exchange, headers);
            count(new TokenTotals(usage.prompt(), 0, usage.cached()));
        });
    }

    private void generate(HttpExchange exchange, Reading reading, String headers) throws IOException {
        AnswerTask task = reading.read(exchange.request());
        try (RunningTexts texts = RunningTexts.begin(model.generator(), task.requests(), task.param())) {
            exchange.onClientGone(texts::close);
            var answering = new Answering(task, texts, name, headers);
            try {
                answering.send(exchange);
            } finally {
                count(answering.end());
            }
        }
    }

    private void count(TokenTotals totals) {
        state.metrics().counted("prompt_tokens", totals.prompt());
        state.metrics().counted("generated_tokens", totals.generated());
        state.metrics().counted("cached_tokens", totals.cached());
    }
}
