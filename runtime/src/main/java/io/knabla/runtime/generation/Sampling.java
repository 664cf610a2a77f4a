package io.knabla.runtime.generation;

import java.util.Map;

/**
 * How a token is chosen from the model's logits. Applied in this order: penalties, bias, temperature, top-k, top-p,
 * min-p.
 *
 * @param temperature 0 takes the most probable token
 * @param topP keeps the most probable tokens whose probabilities sum to this; 1 keeps all
 * @param topK keeps so many of the most probable tokens; 0 keeps all
 * @param minP keeps tokens of at least this share of the greatest probability; 0 keeps all
 * @param seed equal seeds choose equal tokens
 * @param logitBias added to the logits of these tokens
 */
public record Sampling(
        double temperature,
        double topP,
        int topK,
        double minP,
        Penalties penalties,
        long seed,
        Map<Integer, Float> logitBias) {
    public static final Sampling GREEDY = new Sampling(0, 1, 0, 0, Penalties.NONE, 0, Map.of());

    public Sampling {
        logitBias = Map.copyOf(logitBias);
        Penalties.check(
                temperature >= 0 && Double.isFinite(temperature), "temperature is %s, must be 0 or more", temperature);
        Penalties.check(topP > 0 && topP <= 1, "topP is %s, must be above 0 and at most 1", topP);
        Penalties.check(topK >= 0, "topK is %s, must be 0 or more", topK);
        Penalties.check(minP >= 0 && minP <= 1, "minP is %s, must be 0 to 1", minP);
        Penalties.check(
                logitBias.values().stream().allMatch(bias -> bias < Float.POSITIVE_INFINITY),
                "logitBias has a value that is no number or infinite: %s",
                logitBias);
    }

    /**
     * Changes of the logits of tokens that were there before.
     *
     * @param repetition divides positive and multiplies negative logits of tokens of prompt and text; above 0, 1 is
     *     none
     * @param presence subtracted from the logit of each token that the text has
     * @param frequency subtracted from the logit of each token as often as the text has it
     */
    public record Penalties(double repetition, double presence, double frequency) {
        public static final Penalties NONE = new Penalties(1, 0, 0);

        public Penalties {
            check(repetition > 0 && Double.isFinite(repetition), "repetition is %s, must be above 0", repetition);
            check(Double.isFinite(presence), "presence is %s, must be a number", presence);
            check(Double.isFinite(frequency), "frequency is %s, must be a number", frequency);
        }

        /** Here, so that the outer class, whose constants need those of this one, is initialised after it. */
        private static void check(boolean holds, String message, Object value) {
            if (!holds) {
                throw new IllegalArgumentException(message.formatted(value));
            }
        }
    }
}
