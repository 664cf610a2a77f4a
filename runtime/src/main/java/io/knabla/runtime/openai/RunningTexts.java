package io.knabla.runtime.openai;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The texts of one answer while they are generated, side by side. Closing it ends those that are not finished. */
final class RunningTexts implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final List<Generation> generations = new ArrayList<>();
    private final BlockingQueue<Numbered> events = new LinkedBlockingQueue<>();

    /** What becomes known of one text. */
    record Numbered(int choice, GenerationEvent event) {}

    private RunningTexts() {}

    /**
     * Begins all texts.
     *
     * @param param field of the prompt
     * @throws OpenAiException if one of them is refused; then none goes on
     */
    static RunningTexts begin(Generator generator, List<GenerationRequest> requests, String param) {
        var texts = new RunningTexts();
        try {
            requests.forEach(request -> texts.generations.add(submit(generator, request, param)));
        } catch (RuntimeException | Error refused) {
            texts.close();
            throw refused;
        }
        for (int i = 0; i < requests.size(); i++) {
            int choice = i;
            texts.generations.get(i).forward(event -> texts.events.add(new Numbered(choice, event)));
        }
        return texts;
    }

    private static Generation submit(Generator generator, GenerationRequest request, String param) {
        return accepted(generator.submit(request), param);
    }

    /**
     * What was accepted.
     *
     * @throws OpenAiException if the request is refused
     */
    static Generation accepted(Submission submission, String param) {
        return switch (submission) {
            case Submission.Accepted(Generation generation) -> generation;
            case Submission.QueueFull(Duration retryAfter) ->
                throw OpenAiException.later(429, "too many requests wait already; call again later", retryAfter);
            case Submission.PromptTooLong(int tokens, int most) ->
                throw OpenAiException.tooLong(
                        param,
                        "the prompt has %d tokens; the context of the model holds %d and one more to generate; shorten it"
                                .formatted(tokens, most));
            case Submission.Invalid(String reason) -> throw OpenAiException.bad(reason);
            case Submission.Closed _ -> throw OpenAiException.later(503, "this replica is stopping; call again", SOON);
        };
    }

    /** The next event of any text; null if there is none in this time. */
    Numbered next(Duration most) throws InterruptedException {
        return events.poll(most.toNanos(), TimeUnit.NANOSECONDS);
    }

    int count() {
        return generations.size();
    }

    static OpenAiException failure(GenerationFailure failure) {
        return switch (failure.kind()) {
            case WAITED_TOO_LONG, CLOSED -> OpenAiException.later(503, failure.message(), SOON);
            // As for other models: a retry would compute the same.
            case NOT_FINITE -> OpenAiException.failed(422, failure.message());
            case ENGINE -> OpenAiException.failed(500, failure.message());
        };
    }

    /** Ends all texts within a step; safe to call from any thread. */
    @Override
    public void close() {
        generations.forEach(Generation::cancel);
    }
}
