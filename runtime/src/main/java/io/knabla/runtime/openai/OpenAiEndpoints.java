package io.knabla.runtime.openai;

import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.paths.TextPaths;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import io.knabla.runtime.serve.ServedModel;
import java.io.IOException;
import java.util.stream.Collectors;

/**
 * Paths of the OpenAI API. A replica whose model is called with tensors has this class alone of its package: there is
 * nothing at the paths then, and the list of models is that of KServe's V1 protocol.
 */
public final class OpenAiEndpoints implements Endpoints {
    private static final String MODELS = "/v1/models";

    private final ReplicaState state;

    /** Null before the model is loaded, and for a model that is called with tensors. */
    private volatile TextHandler handler;

    public OpenAiEndpoints(ReplicaState state) {
        this.state = state;
    }

    @Override
    public String method(String path) {
        if (TextPaths.has(path) || path.equals(TextPaths.PREFIX_BLOCKS)) {
            return "POST";
        }
        return path.equals(MODELS) ? ServerAction.V1_MODELS.method() : null;
    }

    @Override
    public void loaded(ServedModel served) {
        // Asked in this way, the question loads no class of models that are called with texts.
        if (!(served instanceof EngineModel) && served instanceof TextModel model) {
            handler = model.handler(state);
        }
    }

    /** Which list of models there is, only the model says, so that it is waited for. */
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
        state.awaitModel();
        TextHandler opened = handler;
        if (opened == null) {
            withoutText(exchange);
        } else if (opened.answers(exchange.request().path())) {
            opened.handle(exchange);
        } else {
            elsewhere(exchange, opened);
        }
    }

    private void elsewhere(HttpExchange exchange, TextHandler opened) throws IOException {
        ResponseHeaders headers = state.headersFor(exchange.request());
        state.answered(headers);
        String answered = TextPaths.all().stream().filter(opened::answers).collect(Collectors.joining(", "));
        String message = "there is nothing at %s: the model that is served here answers at %s"
                .formatted(exchange.request().path(), answered);
        exchange.respond(OpenAiException.failed(404, message).response(headers.toHeaderLines()));
    }

    private void withoutText(HttpExchange exchange) throws IOException {
        ResponseHeaders headers = state.headersFor(exchange.request());
        state.answered(headers);
        String path = exchange.request().path();
        HttpResponse answer = path.equals(MODELS)
                ? HttpResponse.json(
                        200, ProtocolResponses.models(state.settings().model()))
                : InferenceError.of(
                        404,
                        "there is nothing at %s: the model that is served here is not called with texts"
                                .formatted(path));
        exchange.respondCompressed(answer.withHeaders(headers.toHeaderLines()));
    }
}
