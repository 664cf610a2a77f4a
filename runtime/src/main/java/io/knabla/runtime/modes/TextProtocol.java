package io.knabla.runtime.modes;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.openai.GenerationModel;
import io.knabla.runtime.openai.TextCalls;
import io.knabla.runtime.paths.TextAction;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ServedModel;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;

/** OpenAI's API, whose classes only a replica loads that serves a language model. */
final class TextProtocol implements Endpoints {
    private final ReplicaState state;
    private volatile TextCalls calls;

    TextProtocol(ReplicaState state) {
        this.state = state;
    }

    @Override
    public String method(String path) {
        return TextAction.of(path) == null ? null : "POST";
    }

    @Override
    public void loaded(ServedModel served) {
        if (!(served instanceof EngineModel)) {
            calls = open(served);
        }
    }

    private TextCalls open(ServedModel served) {
        return served instanceof GenerationModel model
                ? new TextCalls(state, model, Clock.systemUTC(), new SecureRandom())
                : null;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
        state.awaitModel();
        if (calls == null) {
            exchange.respond(HttpResponse.json(
                            404,
                            ProtocolResponses.error("there is nothing at %s: this function continues no texts"
                                    .formatted(exchange.request().path())))
                    .withHeaders(state.versionLine()));
            return;
        }
        calls.handle(exchange);
    }
}
