package io.knabla.runtime.openai;

import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.protocol.JsonWriter;

/**
 * Numbers of tokens of one answer.
 *
 * @param prompt of each prompt once, however many texts continue it
 * @param cached of these, those that were computed before
 */
record TokenTotals(long prompt, long generated, long cached) {
    static final TokenTotals NONE = new TokenTotals(0, 0, 0);

    /** @param first whether it is the first text of its prompt */
    TokenTotals plus(TokenUsage text, boolean first) {
        return new TokenTotals(
                prompt + (first ? text.prompt() : 0),
                generated + text.generated(),
                cached + (first ? text.cached() : 0));
    }

    void write(JsonWriter json) {
        json.raw("{\"prompt_tokens\":").number(prompt);
        json.raw(",\"completion_tokens\":").number(generated);
        json.raw(",\"total_tokens\":").number(prompt + generated);
        json.raw(",\"prompt_tokens_details\":{\"cached_tokens\":")
                .number(cached)
                .raw("}}");
    }
}
