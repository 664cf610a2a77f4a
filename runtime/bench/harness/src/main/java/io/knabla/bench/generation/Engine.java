package io.knabla.bench.generation;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.loop.TextGenerator;
import java.util.ArrayList;
import java.util.List;

/** The replica's engine in this process, without HTTP. */
record Engine(TextGenerator generator, Batch batch) implements TextPlayer {
    static Engine open(TextUnit unit, Batch batch) {
        int threads = Runtime.getRuntime().availableProcessors();
        return new Engine(TextGenerator.open(unit.folder(), threads), batch);
    }

    @Override
    public String name() {
        return "the engine";
    }

    @Override
    public double seconds() throws InterruptedException {
        long start = System.nanoTime();
        List<Generation> running = new ArrayList<>();
        for (int row = 0; row < batch.size(); row++) {
            running.add(begin(batch.prompt(row), batch.tokens()));
        }
        for (Generation one : running) {
            awaitEnd(one);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** Seconds until the first token of a prompt's text is there. */
    double secondsToFirstToken(int[] prompt) throws InterruptedException {
        long start = System.nanoTime();
        awaitEnd(begin(prompt, 1));
        return (System.nanoTime() - start) / 1e9;
    }

    /** The first tokens of the first text. */
    List<Integer> firstTokens(int count) throws InterruptedException {
        List<Integer> tokens = new ArrayList<>();
        Generation text = begin(batch.prompt(0), count);
        GenerationEvent event = text.next();
        while (!event.isLast()) {
            if (event instanceof GenerationEvent.Piece piece) {
                piece.tokens().forEach(token -> tokens.add(token.id()));
            }
            event = text.next();
        }
        return tokens;
    }

    private Generation begin(int[] prompt, int tokens) {
        var request =
                new GenerationRequest(prompt, tokens, Sampling.GREEDY, List.of(), GenerationRequest.NO_LOGPROBS, true);
        return switch (generator.submit(request)) {
            case Submission.Accepted(var generation) -> generation;
            case Submission other -> throw new IllegalStateException("the engine refuses a text: " + other);
        };
    }

    private static void awaitEnd(Generation generation) throws InterruptedException {
        GenerationEvent event = generation.next();
        while (!event.isLast()) {
            event = generation.next();
        }
        if (event instanceof GenerationEvent.Failed(var failure)) {
            throw new IllegalStateException("a text failed: " + failure);
        }
    }

    @Override
    public void close() {
        generator.close();
    }
}
