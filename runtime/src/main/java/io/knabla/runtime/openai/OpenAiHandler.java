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

/** Answers requests with a loaded model, counts them, and maps failures to OpenAI's errors. */
final class OpenAiHandler {
    private final ReplicaState state;
    private final String name;
    private final GenerationModel model;
    private final TaskReader reader;
    private final long created = Instant.now().getEpochSecond();

    OpenAiHandler(ReplicaState state, GenerationModel model) {
        this.state = state;
        this.name = state.settings().model();
        this.model = model;
        this.reader = new TaskReader(name, model);
    }

    /** Reads a request for texts. */
    private interface Reading {
        AnswerTask read(HttpRequest request);
    }

    void chat(HttpExchange exchange) throws IOException {
        answer(exchange, headers -> generate(exchange, reader::chat, headers));
    }

    void completion(HttpExchange exchange) throws IOException {
        answer(exchange, headers -> generate(exchange, reader::completion, headers));
    }

    void models(HttpExchange exchange) throws IOException {
        answer(exchange, headers -> {
            JsonWriter json = new JsonWriter(128)
                    .raw("{\"object\":\"list\",\"data\":[{\"id\":")
                    .text(name);
            json.raw(",\"object\":\"model\",\"created\":").number(created);
            respond(exchange, json.raw(",\"owned_by\":\"knabla\"}]}"), headers);
        });
    }

    void tokenize(HttpExchange exchange) throws IOException {
        answer(exchange, headers -> {
            int[] ids = reader.tokens(exchange.request());
            JsonWriter json =
                    new JsonWriter(64 + 6 * ids.length).raw("{\"count\":").number(ids.length);
            json.raw(",\"max_model_len\":")
                    .number(model.generator().settings().limits().contextLength())
                    .raw(",\"tokens\":[");
            for (int i = 0; i < ids.length; i++) {
                json.raw(i > 0 ? "," : "").number(ids[i]);
            }
            respond(exchange, json.raw("]}"), headers);
        });
    }

    private static void respond(HttpExchange exchange, JsonWriter json, String headers) throws IOException {
        byte[] body = Arrays.copyOf(json.bytes(), json.size());
        exchange.respondCompressed(HttpResponse.json(200, body).withHeaders(headers));
    }

    private void generate(HttpExchange exchange, Reading reading, String headers) throws IOException {
        AnswerTask task = reading.read(exchange.request());
        try (RunningTexts texts = RunningTexts.begin(model.generator(), task.requests(), task.param())) {
            exchange.onClientGone(texts::close);
            TokenTotals totals = new Answering(task, texts, name, headers).send(exchange);
            state.metrics().counted("prompt_tokens", totals.prompt());
            state.metrics().counted("generated_tokens", totals.generated());
            state.metrics().counted("cached_tokens", totals.cached());
        }
    }

    /** Answers a request, given the header lines of the answer. */
    private interface Answer {
        void send(String headers) throws IOException;
    }

    private void answer(HttpExchange exchange, Answer answer) throws IOException {
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
        } catch (RuntimeException bug) {
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
