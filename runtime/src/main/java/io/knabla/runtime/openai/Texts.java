package io.knabla.runtime.openai;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The texts of one request, all of them accepted. */
record Texts(List<Generation> generations) {
    private static final Duration SOON = Duration.ofSeconds(1);

    /**
     * Submits each choice of each prompt.
     *
     * @throws RefusedException if one of them is refused; none of the others goes on then
     */
    static Texts submit(Generator generator, List<int[]> prompts, TextOptions options) {
        List<Generation> accepted = new ArrayList<>();
        var texts = new Texts(accepted);
        for (int[] prompt : prompts) {
            for (int choice = 0; choice < options.choices(); choice++) {
                switch (generator.submit(options.request(prompt, choice))) {
                    case Submission.Accepted(var generation) -> accepted.add(generation);
                    case Submission.QueueFull(var retryAfter) ->
                        throw texts.refused(ApiError.busy(
                                "as many requests wait as may (spec.generation.queue.max); try again", retryAfter));
                    case Submission.PromptTooLong(int tokens, int most) ->
                        throw texts.refused(ApiError.tooLong(
                                "the prompt has %d tokens, but at most %d leave room for an answer; send less"
                                        .formatted(tokens, most)));
                    case Submission.Invalid(var reason) -> throw texts.refused(ApiError.invalid(null, reason));
                    case Submission.Closed() ->
                        throw texts.refused(ApiError.unavailable("this replica is stopping; call again"));
                }
            }
        }
        return texts;
    }

    private RefusedException refused(ApiError error) {
        cancel();
        return new RefusedException(error);
    }

    void cancel() {
        generations.forEach(Generation::cancel);
    }

    static ApiError error(GenerationFailure failure) {
        return switch (failure.kind()) {
            case WAITED_TOO_LONG -> ApiError.busy(failure.message(), SOON);
            case NOT_FINITE -> ApiError.failed(failure.message());
            case ENGINE, CLOSED -> ApiError.unavailable(failure.message());
        };
    }
}
