package io.knabla.runtime.generation;

import java.util.List;

/**
 * A chosen token.
 *
 * @param logprob natural logarithm of its probability under the model alone, before penalties, bias and temperature;
 *     NaN if the request asked for none
 * @param alternatives the most probable tokens, the most probable first; as many as the request asked for
 */
public record GeneratedToken(int id, float logprob, List<TokenLogprob> alternatives) {
    /** A token and the natural logarithm of its probability. */
    public record TokenLogprob(int id, float logprob) {}

    public GeneratedToken {
        alternatives = List.copyOf(alternatives);
    }
}
