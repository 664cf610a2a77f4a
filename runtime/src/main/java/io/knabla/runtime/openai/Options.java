package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a request asks for beside its prompt.
 *
 * @param sampling of the first text; further ones have the next seeds
 * @param maxTokens empty for as many as the context holds
 * @param logprobs as in {@link GenerationRequest}
 * @param choices number of texts
 * @param grammar that all texts follow; empty for any text
 */
record Options(
        Sampling sampling,
        OptionalInt maxTokens,
        List<String> stop,
        int logprobs,
        int choices,
        Streaming streaming,
        Optional<TokenGrammar> grammar) {
    enum Streaming {
        OFF,
        ON,
        WITH_USAGE
    }

    /** @param choice which text it is, from 0 */
    GenerationRequest request(int[] prompt, int choice, int contextLength) {
        Sampling own = new Sampling(
                sampling.temperature(),
                sampling.topP(),
                sampling.topK(),
                sampling.minP(),
                sampling.penalties(),
                sampling.seed() + choice,
                sampling.logitBias());
        return new GenerationRequest(prompt, maxTokens.orElse(contextLength), own, stop, logprobs, false, grammar);
    }
}
