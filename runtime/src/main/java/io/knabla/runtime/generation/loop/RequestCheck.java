package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.GenerationRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds what a model cannot answer in a request. */
final class RequestCheck {
    private RequestCheck() {}

    /** What is wrong, and what is allowed; empty if nothing is. */
    static Optional<String> fault(GenerationRequest request, int vocabulary) {
        return IntStream.concat(Arrays.stream(request.prompt()), biased(request))
                .filter(token -> token < 0 || token >= vocabulary)
                .mapToObj(
                        token -> "token %d is not one of this model; they are 0 to %d".formatted(token, vocabulary - 1))
                .findFirst();
    }

    private static IntStream biased(GenerationRequest request) {
        Map<Integer, Float> biases = request.sampling().logitBias();
        return biases.keySet().stream().mapToInt(Integer::intValue);
    }
}
