package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/**
 * How the model's makers choose the next token, as in their generation_config.json.
 *
 * @param temperature 0 takes the most probable token
 * @param topP above 0, at most 1, which keeps all tokens
 * @param topK 0 keeps all tokens
 * @param repetitionPenalty above 0; 1 is none
 */
public record SamplingDefaults(double temperature, double topP, int topK, double repetitionPenalty) {
    /** Changes nothing about the model's own probabilities. */
    public static final SamplingDefaults NEUTRAL = new SamplingDefaults(1, 1, 0, 1);

    public SamplingDefaults {
        Checks.that(
                temperature >= 0 && Double.isFinite(temperature), "temperature is %s, must be 0 or more", temperature);
        Checks.that(topP > 0 && topP <= 1, "topP is %s, must be above 0 and at most 1", topP);
        Checks.that(topK >= 0, "topK is %d, must be 0 or more", topK);
        Checks.that(
                repetitionPenalty > 0 && Double.isFinite(repetitionPenalty),
                "repetitionPenalty is %s, must be above 0",
                repetitionPenalty);
    }
}
