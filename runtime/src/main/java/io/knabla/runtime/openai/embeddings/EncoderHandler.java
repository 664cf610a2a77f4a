package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.unit.encoder.EncoderSettings;
import io.knabla.runtime.encoder.Admission;
import io.knabla.runtime.encoder.EncodeJob;
import io.knabla.runtime.encoder.EncodedText;
import io.knabla.runtime.encoder.NotFiniteException;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.openai.OpenAiException;
import io.knabla.runtime.openai.TextAnswers;
import io.knabla.runtime.openai.TextHandler;
import io.knabla.runtime.paths.TextPaths;
import io.knabla.runtime.serve.ReplicaState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers requests with a loaded encoder. */
final class EncoderHandler implements TextHandler {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final ReplicaState state;
    private final EncoderModel model;
    private final EncoderRequestReader reader;
    private final EncoderAnswers writer;
    private final TextAnswers answers;

    EncoderHandler(ReplicaState state, EncoderModel model) {
        String name = state.settings().model();
        this.state = state;
        this.model = model;
        this.reader = new EncoderRequestReader(name, model);
        this.writer = new EncoderAnswers(name);
        this.answers = new TextAnswers(state);
    }

    @Override
    public boolean answers(String path) {
        boolean embeds = model.settings().output() instanceof EncoderSettings.Embedding;
        return switch (path) {
            case TextPaths.EMBEDDINGS -> embeds;
            case TextPaths.RERANK, TextPaths.V1_RERANK -> !embeds;
            default -> path.equals(TextAnswers.MODELS);
        };
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        switch (exchange.request().path()) {
            case TextPaths.EMBEDDINGS -> answers.answer(exchange, headers -> embeddings(exchange, headers));
            case TextPaths.RERANK, TextPaths.V1_RERANK ->
                answers.answer(exchange, headers -> rerank(exchange, headers));
            default -> answers.models(exchange);
        }
    }

    private void embeddings(HttpExchange exchange, String headers) throws IOException {
        EmbeddingsRequest request = reader.embeddings(exchange.request());
        float[][] rows = encoded(exchange, request.texts());
        boolean normalized =
                model.settings().output() instanceof EncoderSettings.Embedding embedding && embedding.normalized();
        List<float[]> vectors = new ArrayList<>();
        for (float[] row : rows) {
            vectors.add(Vectors.finished(row, request.dimensions(), normalized));
        }
        TextAnswers.respond(
                exchange, writer.embeddings(vectors, request.base64(), RequestLimits.tokens(request.texts())), headers);
    }

    private void rerank(HttpExchange exchange, String headers) throws IOException {
        RerankRequest request = reader.rerank(exchange.request());
        float[][] rows = encoded(exchange, request.pairs());
        float[] scores = new float[rows.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = rows[i][0];
        }
        TextAnswers.respond(exchange, writer.ranks(request, scores), headers);
    }

    /** @throws IOException if the client has left */
    private float[][] encoded(HttpExchange exchange, List<EncodedText> texts) throws IOException {
        EncodeJob job = switch (model.encoder().submit(texts)) {
            case Admission.Accepted(EncodeJob accepted) -> accepted;
            case Admission.QueueFull _ ->
                throw OpenAiException.later(429, "too many texts wait already; call again later", SOON);
            case Admission.Closed _ -> throw stopping();
        };
        var left = new AtomicBoolean();
        exchange.onClientGone(() -> {
            left.set(true);
            job.cancel();
        });
        float[][] rows = await(job, left);
        state.metrics().counted("prompt_tokens", RequestLimits.tokens(texts));
        return rows;
    }

    private static float[][] await(EncodeJob job, AtomicBoolean left) throws IOException {
        try {
            return job.await();
        } catch (InterruptedException stopped) {
            job.cancel();
            throw new HttpFault(503, "this replica is stopping; call again");
        } catch (CancellationException cancelled) {
            if (left.get()) {
                throw new IOException("the client has left", cancelled);
            }
            throw stopping();
        } catch (NotFiniteException repeatable) {
            throw OpenAiException.failed(422, repeatable.getMessage());
        } catch (EngineException failed) {
            throw OpenAiException.failed(500, failed.getMessage());
        }
    }

    private static OpenAiException stopping() {
        return OpenAiException.later(503, "this replica is stopping; call again", SOON);
    }
}
