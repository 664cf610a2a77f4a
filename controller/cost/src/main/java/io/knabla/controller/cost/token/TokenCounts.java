package io.knabla.controller.cost.token;

import io.knabla.functions.unit.usage.Counters;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers of tokens in answered requests.
 *
 * @param prompt all that were read, the cached ones included
 * @param cached of them, those that were not computed again
 */
public record TokenCounts(long prompt, long cached, long generated) {
    /** Empty if a replica counted none. */
    public static Optional<TokenCounts> of(Counters counters) {
        Map<String, Long> counts = counters.byName();
        var tokens = new TokenCounts(
                counts.getOrDefault("prompt_tokens", 0L),
                counts.getOrDefault("cached_tokens", 0L),
                counts.getOrDefault("generated_tokens", 0L));
        return Optional.of(tokens).filter(some -> some.total() > 0);
    }

    public long total() {
        return prompt + generated;
    }

    /** Prompt tokens that were computed; the sums of a period may cut a request in two, so never below zero. */
    long computed() {
        return Math.max(0, prompt - cached);
    }
}
