package io.knabla.runtime.generation.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts of random schemas are valid, whichever tokens are chosen. */
class SchemaGrammarTest {
    private static final int SCHEMAS = 100;

    @Test
    void textsOfRandomTokensAreValid() {
        TokenVocabulary vocabulary = TestVocabularies.small();
        var schemas = new RandomSchemas(3);
        var random = new Random(4);
        int ended = 0;
        for (int i = 0; i < SCHEMAS; i++) {
            String schema = schemas.next();
            TokenGrammar grammar = RandomTexts.grammar(vocabulary, schema);
            for (int k = 0; k < 3; k++) {
                Optional<String> text = RandomTexts.text(grammar, vocabulary, random);
                if (text.isPresent()) {
                    assertThat(SchemaJudge.faults(schema, text.get()))
                            .as("%s of %s", text.get(), schema)
                            .isEmpty();
                    ended++;
                }
            }
        }
        assertThat(ended).isGreaterThan(SCHEMAS * 2);
    }
}
