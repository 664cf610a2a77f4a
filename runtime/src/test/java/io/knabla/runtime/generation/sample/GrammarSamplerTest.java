package io.knabla.runtime.generation.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Sampling.Penalties;
import io.knabla.runtime.generation.grammar.Grammars;
import io.knabla.runtime.generation.grammar.Grammars.Opened;
import io.knabla.runtime.generation.grammar.TestVocabularies;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import io.knabla.runtime.generation.grammar.schema.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens that a grammar excludes are never chosen, whatever else a request asks for. */
class GrammarSamplerTest {
    private static final int SIZE = 300;

    private static TokenGrammar booleans() {
        var schema = new JsonValue.Fields(Map.of("type", new JsonValue.Text("boolean")));
        return switch (new Grammars(TestVocabularies.small()).schema(schema, false)) {
            case Opened.Usable(var grammar) -> grammar;
            case Opened.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    @ParameterizedTest
    @CsvSource({"0,0,1", "1,0,1", "1,1,1", "1,5,1", "1,200,1", "2,250,0.99", "0.5,0,0.5"})
    void excludedTokensAreNeverChosen(double temperature, int topK, double topP) {
        TokenGrammar grammar = booleans();
        for (int seed = 0; seed < 100; seed++) {
            var sampling = new Sampling(
                    temperature, topP, topK, 0, new Penalties(1.1, 1, 1), seed, Map.of(1 + 'x', 100f, 1 + 't', -50f));
            var sampler = new Sampler(
                    new GenerationRequest(new int[] {5}, 1, sampling, List.of(), -1, false, Optional.of(grammar)));
            var written = new StringBuilder();
            while (!sampler.isAtItsEnd()) {
                Choice choice = sampler.choose(new float[SIZE - 15], new Candidates());
                int token = ((Choice.Chosen) choice).token().id();
                written.append(token < 257 ? String.valueOf((char) (token - 1)) : token == 267 ? "true" : "false");
            }
            assertThat(written.toString()).isIn("true", "false");
        }
    }
}
