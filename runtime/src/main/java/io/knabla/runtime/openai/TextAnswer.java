package io.knabla.runtime.openai;

import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Sends the answer to one request, and counts it. */
record TextAnswer(HttpExchange exchange, ReplicaState state, ResponseHeaders headers) {
    private static final int CLIENT_LEFT = 499;

    /** Tells this request's answer from others. */
    String id() {
        return exchange.request().trace().toString();
    }

    void onClientGone(Runnable action) {
        exchange.onClientGone(action);
    }

    void refuse(ApiError error) throws IOException {
        state.metrics().failed(error.status(), nanos());
        respond(error.response());
    }

    /** @param choices texts of each prompt */
    void send(HttpResponse response, List<TokenUsage> texts, int choices) throws IOException {
        count(texts, choices);
        respond(response);
    }

    private void respond(HttpResponse response) throws IOException {
        state.answered(headers);
        exchange.respondCompressed(response.withHeaders(headers.toHeaderLines()));
    }

    void stream(CompletionJson json, Texts texts, TextOptions options) throws IOException {
        state.answered(headers);
        EventStream stream = EventStream.begin(exchange, headers.toHeaderLines());
        var streamed = new StreamedAnswer(stream, json, texts);
        Optional<ApiError> failure;
        try {
            failure = streamed.write();
        } catch (IOException left) {
            state.metrics().failed(CLIENT_LEFT, nanos());
            throw left;
        }
        if (failure.isPresent()) {
            state.metrics().failed(failure.get().status(), nanos());
            stream.data(failure.get().json());
            stream.end();
            return;
        }
        count(streamed.usages(), options.choices());
        if (options.hasUsage()) {
            stream.data(json.usage(CompletionJson.Usage.of(streamed.usages(), options.choices())));
        }
        stream.done();
    }

    private void count(List<TokenUsage> texts, int choices) {
        var usage = CompletionJson.Usage.of(texts, choices);
        state.metrics().succeeded(nanos(), 0, nanos());
        state.metrics().counted("prompt_tokens", usage.prompt());
        state.metrics().counted("generated_tokens", usage.generated());
        state.metrics().counted("cached_tokens", usage.cached());
    }

    private long nanos() {
        return System.nanoTime() - exchange.request().arrived();
    }
}
