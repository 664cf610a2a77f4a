package io.knabla.runtime.generation;

import io.knabla.runtime.generation.grammar.TokenGrammar;
import java.util.List;
import java.util.Optional;

/**
 * Asks for the continuation of a prompt.
 *
 * @param prompt ids of 1 token or more; not copied, so it must not change
 * @param maxTokens most tokens to generate, 1 or more; fewer if the context ends before
 * @param stop texts that end the generation; they are not part of what is generated
 * @param logprobs number of alternatives whose log probabilities are told for each token, 0 to 20; -1 tells none, not
 *     even that of the token itself
 * @param ignoreEnd whether to go on after a token that ends a text
 * @param grammar that the text follows, unless it is cut; empty for any text
 */
public record GenerationRequest(
        int[] prompt,
        int maxTokens,
        Sampling sampling,
        List<String> stop,
        int logprobs,
        boolean ignoreEnd,
        Optional<TokenGrammar> grammar) {
    public static final int NO_LOGPROBS = -1;
    public static final int MOST_LOGPROBS = 20;

    public GenerationRequest {
        stop = List.copyOf(stop);
        check(prompt.length > 0, "prompt has no token, must have 1 or more");
        check(maxTokens > 0, "maxTokens is %d, must be 1 or more".formatted(maxTokens));
        check(stop.stream().noneMatch(String::isEmpty), "stop has an empty text; leave it out");
        check(
                logprobs >= NO_LOGPROBS && logprobs <= MOST_LOGPROBS,
                "logprobs is %d, must be 0 to %d, or -1 for none".formatted(logprobs, MOST_LOGPROBS));
        check(grammar.isEmpty() || !ignoreEnd, "ignoreEnd is true with a grammar, whose texts have an end");
    }

    /** A request for any text. */
    public GenerationRequest(
            int[] prompt, int maxTokens, Sampling sampling, List<String> stop, int logprobs, boolean ignoreEnd) {
        this(prompt, maxTokens, sampling, stop, logprobs, ignoreEnd, Optional.empty());
    }

    /** A request without stop texts and log probabilities. */
    public static GenerationRequest of(int[] prompt, int maxTokens, Sampling sampling) {
        return new GenerationRequest(prompt, maxTokens, sampling, List.of(), NO_LOGPROBS, false);
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
