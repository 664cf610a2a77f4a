package io.knabla.runtime.openai;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.JsonWriter;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.FailureLog;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** Sends the answers of one model, counts them, and maps failures to OpenAI's errors. Thread-safe. */
public final class TextAnswers {
    /** Path of the list of models. */
    public static final String MODELS = "/v1/models";

    private final ReplicaState state;
    private final String name;
    private final long created = Instant.now().getEpochSecond();

    public TextAnswers(ReplicaState state) {
        this.state = state;
        this.name = state.settings().model();
    }

    /** Answers a request for the list of models, which has this one. */
    public void models(HttpExchange exchange) throws IOException {
        answer(exchange, headers -> {
            JsonWriter json = new JsonWriter(128)
                    .raw("{\"object\":\"list\",\"data\":[{\"id\":")
                    .text(name);
            json.raw(",\"object\":\"model\",\"created\":").number(created);
            respond(exchange, json.raw(",\"owned_by\":\"knabla\"}]}"), headers);
        });
    }

    /** @param headers complete header lines */
    public static void respond(HttpExchange exchange, JsonWriter json, String headers) throws IOException {
        byte[] body = Arrays.copyOf(json.bytes(), json.size());
        exchange.respondCompressed(HttpResponse.json(200, body).withHeaders(headers));
    }

    /** Sends one answer. */
    public interface Answer {
        /**
         * @param headers complete header lines
         * @throws OpenAiException if the request is refused
         * @throws IOException if the client has left
         */
        void send(String headers) throws IOException;
    }

    /**
     * Sends an answer, or why there is none.
     *
     * @throws IOException if the client has left
     */
    public void answer(HttpExchange exchange, Answer answer) throws IOException {
        ResponseHeaders headers = state.headersFor(exchange.request());
        state.answered(headers);
        String lines = headers.toHeaderLines();
        HttpRequest request = exchange.request();
        try {
            answer.send(lines);
            state.metrics().succeeded(nanos(request), 0, 0);
        } catch (OpenAiException refused) {
            fail(exchange, refused, refused.getMessage(), lines);
        } catch (UncheckedIOException | HttpFault client) {
            throw client;
        } catch (OutOfMemoryError full) {
            var failed = OpenAiException.later(503, Endpoints.OUT_OF_MEMORY, Duration.ofSeconds(1));
            fail(exchange, failed, Endpoints.OUT_OF_MEMORY, lines);
        } catch (RuntimeException | Error bug) {
            bug.printStackTrace();
            fail(exchange, OpenAiException.failed(500, Endpoints.INTERNAL_ERROR), bug.toString(), lines);
        }
    }

    /** What fails after its answer was begun has told so there. */
    private void fail(HttpExchange exchange, OpenAiException failed, String cause, String headers) throws IOException {
        state.metrics().failed(failed.status(), nanos(exchange.request()));
        if (failed.status() >= 500) {
            FailureLog.failed(exchange.request(), cause);
        }
        if (!exchange.responded()) {
            exchange.respond(failed.response(headers));
        }
    }

    private static long nanos(HttpRequest request) {
        return System.nanoTime() - request.arrived();
    }
}
