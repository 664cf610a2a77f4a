package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import java.io.IOException;

/** Endpoints whose answers are made whole before they are sent. */
public abstract class WholeBodyEndpoints implements Endpoints {
    private final ReplicaState state;

    protected WholeBodyEndpoints(ReplicaState state) {
        this.state = state;
    }

    /** The answer to a request that needs no model; null if it needs one. Without headers of the version. */
    protected HttpResponse answerEarly(String path, HttpRequest request) {
        return null;
    }

    /**
     * The answer to a request of which {@link #answerEarly} knows none. The model is loaded.
     *
     * @param headers for the answer to have
     */
    protected abstract HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers);

    /** Reads the body of a request before it is answered; all of it unless this is overridden. */
    protected void readBody(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
    }

    @Override
    public final void handle(HttpExchange exchange) throws IOException {
        readBody(exchange);
        exchange.respondCompressed(answer(exchange.request()));
    }

    private HttpResponse answer(HttpRequest request) {
        String path = request.path();
        HttpResponse early = answerEarly(path, request);
        if (early != null) {
            return early.withHeaders(state.versionLine());
        }
        state.awaitModel();
        ResponseHeaders headers = state.headersFor(request);
        try {
            return answer(path, request, headers);
        } finally {
            state.answered(headers);
        }
    }
}
