package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.TokenUsage;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A text whose events a test adds. */
final class FakeGeneration implements Generation {
    final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile int pieces;
    private final BlockingQueue<GenerationEvent> events = new LinkedBlockingQueue<>();
    private Consumer<GenerationEvent> receiver = events::add;

    /** Adds a piece of one token. */
    FakeGeneration piece(String text, int id) {
        List<TokenLogprob> alternatives =
                List.of(new TokenLogprob(id, -0.5f), new TokenLogprob(7, Float.NEGATIVE_INFINITY));
        return piece(text, new GeneratedToken(id, -0.5f, alternatives));
    }

    FakeGeneration piece(String text, GeneratedToken token) {
        pieces++;
        add(new GenerationEvent.Piece(text, List.of(token)));
        return this;
    }

    FakeGeneration end(FinishReason reason, int prompt, int generated) {
        add(new GenerationEvent.Finished(reason, new TokenUsage(prompt, generated, 1)));
        return this;
    }

    FakeGeneration fail(GenerationFailure.Kind kind) {
        add(new GenerationEvent.Failed(new GenerationFailure(kind, "it failed; call again")));
        return this;
    }

    private synchronized void add(GenerationEvent event) {
        receiver.accept(event);
    }

    @Override
    public synchronized void forward(Consumer<GenerationEvent> to) {
        receiver = to;
        events.forEach(to);
        events.clear();
    }

    @Override
    public GenerationEvent next() throws InterruptedException {
        return events.take();
    }

    @Override
    public void cancel() {
        if (cancelled.getCount() > 0) {
            cancelled.countDown();
            end(FinishReason.CANCELLED, 1, pieces);
        }
    }
}
