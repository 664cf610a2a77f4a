package io.knabla.runtime.generation.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Sampling.Penalties;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplerTest {
    private static final int DRAWS = 20_000;
    private static final double[] PROBABILITIES = {0.05, 0.4, 0.15, 0.3, 0.1};

    private static float[] logits(double... probabilities) {
        float[] logits = new float[probabilities.length];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) (Math.log(probabilities[i]) + 3);
        }
        return logits;
    }

    private static Sampling sampling(double temperature, double topP, int topK, double minP) {
        return new Sampling(temperature, topP, topK, minP, Penalties.NONE, 42, Map.of());
    }

    private static Sampler sampler(Sampling sampling, int... prompt) {
        int[] tokens = prompt.length == 0 ? new int[] {0} : prompt;
        return new Sampler(new GenerationRequest(tokens, 1, sampling, List.of(), -1, false));
    }

    private static int choose(Sampler sampler, float[] logits) {
        return switch (sampler.choose(logits, new Candidates())) {
            case Choice.Chosen(GeneratedToken token) -> token.id();
            case Choice.NotFinite() -> -1;
        };
    }

    /** Relative frequency of each token. */
    private static double[] drawn(Sampling sampling) {
        double[] frequencies = new double[PROBABILITIES.length];
        Sampler sampler = sampler(sampling);
        for (int i = 0; i < DRAWS; i++) {
            frequencies[choose(sampler, logits(PROBABILITIES))] += 1.0 / DRAWS;
        }
        return frequencies;
    }

    private static void isNear(double[] frequencies, double... expected) {
        assertThat(frequencies).containsExactly(expected, within(0.012));
    }

    @Test
    void drawsAsProbable() {
        isNear(drawn(sampling(1, 1, 0, 0)), PROBABILITIES);
    }

    @Test
    void temperatureSharpens() {
        double[] squares = Arrays.stream(PROBABILITIES).map(p -> p * p).toArray();
        double sum = Arrays.stream(squares).sum();
        isNear(
                drawn(sampling(0.5, 1, 0, 0)),
                Arrays.stream(squares).map(square -> square / sum).toArray());
    }

    @Test
    void topKKeepsTheMostProbable() {
        isNear(drawn(sampling(1, 1, 2, 0)), 0, 4 / 7.0, 0, 3 / 7.0, 0);
    }

    @Test
    void topPKeepsTheFewestThatSumToIt() {
        isNear(drawn(sampling(1, 0.71, 0, 0)), 0, 0.4 / 0.85, 0.15 / 0.85, 0.3 / 0.85, 0);
    }

    @Test
    void topPIsAShareOfWhatTopKKeeps() {
        isNear(drawn(sampling(1, 0.5, 2, 0)), 0, 1, 0, 0, 0);
    }

    @Test
    void smallestTopPKeepsTheMostProbable() {
        isNear(drawn(sampling(1, 1e-9, 0, 0)), 0, 1, 0, 0, 0);
    }

    @Test
    void minPIsAShareOfTheGreatest() {
        isNear(drawn(sampling(1, 1, 0, 0.5)), 0, 4 / 7.0, 0, 3 / 7.0, 0);
    }

    @Test
    void equalSeedsDrawEqualTokens() {
        Sampler one = sampler(sampling(1, 0.9, 4, 0));
        Sampler other = sampler(sampling(1, 0.9, 4, 0));
        for (int i = 0; i < 100; i++) {
            assertThat(choose(one, logits(PROBABILITIES))).isEqualTo(choose(other, logits(PROBABILITIES)));
        }
    }

    @Test
    void greedyTakesTheFirstOfEqualLogits() {
        assertThat(choose(sampler(Sampling.GREEDY), new float[] {1, 3, 2, 3})).isEqualTo(1);
    }

    @Test
    void repetitionPenaltyCountsThePrompt() {
        var sampling = new Sampling(0, 1, 0, 0, new Penalties(2, 0, 0), 0, Map.of());
        assertThat(choose(sampler(sampling, 1), new float[] {1.2f, 2, 1})).isZero();
        assertThat(choose(sampler(sampling, 1), new float[] {-3, -2, -3.5f})).isZero();
    }

    @Test
    void presenceAndFrequencyCountTheTextOnly() {
        var sampling = new Sampling(0, 1, 0, 0, new Penalties(1, 0.5, 0.4), 0, Map.of());
        Sampler sampler = sampler(sampling, 1);
        List<Integer> chosen = List.of(
                choose(sampler, new float[] {1, 2}),
                choose(sampler, new float[] {1.05f, 2}),
                choose(sampler, new float[] {1.05f, 2}),
                choose(sampler, new float[] {1.05f, 2}));
        assertThat(chosen).containsExactly(1, 1, 0, 1);
    }

    @Test
    void biasExcludes() {
        var sampling = new Sampling(0, 1, 0, 0, Penalties.NONE, 0, Map.of(1, Float.NEGATIVE_INFINITY));
        assertThat(choose(sampler(sampling), new float[] {1, 2})).isZero();
        assertThat(choose(sampler(sampling), new float[] {Float.NEGATIVE_INFINITY, 2}))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY})
    void logitsThatAreNoNumbersChooseNone(float bad) {
        for (int at = 0; at < 3; at++) {
            float[] logits = {1, 2, 3};
            logits[at] = bad;
            assertThat(choose(sampler(sampling(1, 1, 0, 0)), logits)).isEqualTo(-1);
        }
    }
}
