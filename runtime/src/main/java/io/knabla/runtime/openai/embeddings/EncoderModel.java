package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.encoder.EncoderSettings;
import io.knabla.runtime.encoder.BatchRunner;
import io.knabla.runtime.encoder.BatchedEncoder;
import io.knabla.runtime.engine.EncoderSession;
import io.knabla.runtime.engine.TokenBatch;
import io.knabla.runtime.openai.TextHandler;
import io.knabla.runtime.openai.TextModel;
import io.knabla.runtime.serve.ReplicaState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** An encoder that the replica serves, opened from its unit. Owns the encoder. */
public record EncoderModel(EncoderSettings settings, Tokenizer tokenizer, BatchedEncoder encoder) implements TextModel {
    /** More make no run faster for each token, and a run's memory grows with them. */
    private static final int BATCH_TOKENS = 2048;

    /** A session of the engine. */
    private record EngineRunner(EncoderSession session) implements BatchRunner {
        @Override
        public float[] run(TokenBatch batch) {
            return session.run(batch);
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /**
     * Opens a unit of type {@value EncoderSettings#TYPE}.
     *
     * @param folder of the materialised unit
     * @param threads inside one run of the engine
     * @throws io.knabla.functions.unit.UnitException if the unit's settings cannot be used
     * @throws io.knabla.runtime.engine.EngineException if the engine cannot load the graph
     */
    public static EncoderModel open(Path folder, int threads) {
        try {
            EncoderSettings settings = EncoderSettings.parse(Files.readAllBytes(folder.resolve(EncoderSettings.FILE)));
            Tokenizer tokenizer = Tokenizer.open(folder.resolve(EncoderSettings.TOKENIZER));
            EncoderSession session = EncoderSession.open(folder.resolve(EncoderSettings.GRAPH), threads);
            return of(settings, tokenizer, new EngineRunner(session));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** @param runner closed with the model */
    static EncoderModel of(EncoderSettings settings, Tokenizer tokenizer, BatchRunner runner) {
        return new EncoderModel(settings, tokenizer, new BatchedEncoder(runner, settings.padToken(), BATCH_TOKENS));
    }

    @Override
    public TextHandler handler(ReplicaState state) {
        return new EncoderHandler(state, this);
    }

    @Override
    public int running() {
        return encoder.running();
    }

    @Override
    public int waiting() {
        return encoder.waiting();
    }

    @Override
    public long runs() {
        return encoder.runs();
    }

    /** A run of an encoder has an end, but the thread that computes may have ended too. */
    @Override
    public Duration overdue() {
        return encoder.overdue();
    }

    @Override
    public void close() {
        encoder.close();
    }
}
