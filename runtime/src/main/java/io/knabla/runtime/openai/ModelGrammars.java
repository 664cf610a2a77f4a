package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.grammar.Grammars;
import io.knabla.runtime.generation.grammar.TokenVocabulary;
import java.util.Optional;

/** Grammars of a model. Its tokens are read at the first request that needs them, so that others start sooner. */
final class ModelGrammars {
    private final Tokenizer tokenizer;
    private final GenerationSettings settings;
    private Optional<Grammars> grammars;

    ModelGrammars(Generator generator) {
        this.tokenizer = generator.tokenizer();
        this.settings = generator.settings();
    }

    /** Empty if the bytes of the model's tokens depend on each other. */
    synchronized Optional<Grammars> get() {
        if (grammars == null) {
            grammars = TokenVocabulary.of(tokenizer, settings.shape().vocabulary(), settings.endTokens())
                    .map(Grammars::new);
        }
        return grammars;
    }
}
