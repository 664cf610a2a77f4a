package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/** How a replica drafts tokens of a text, to verify them in one run (speculative decoding). */
public sealed interface Speculation {
    /** Longer drafts are hardly ever right to their end. */
    int MOST_TOKENS = 16;

    /** Texts that are drafted for at a time: with more, a run gives each a token at hardly more cost. */
    int MOST_TEXTS = 2;

    /** Each token is computed in a run of its own. */
    record None() implements Speculation {}

    /**
     * Drafts what followed the text's last tokens before (Saxena, Prompt Lookup Decoding, 2023).
     *
     * @param maxTokens most tokens of a draft, 1 to {@value #MOST_TOKENS}
     */
    record PromptLookup(int maxTokens) implements Speculation {
        public PromptLookup {
            check("promptLookupTokens", maxTokens);
        }
    }

    /**
     * Drafts what a small model finds most likely (Leviathan et al., Fast Inference from Transformers via Speculative
     * Decoding, 2023).
     *
     * @param maxTokens most tokens of a draft, 1 to {@value #MOST_TOKENS}
     * @param shape of the small model, whose tokens are those of the main one
     */
    record Draft(int maxTokens, DecoderShape shape) implements Speculation {
        public Draft {
            check("draftTokens", maxTokens);
        }
    }

    /**
     * Memory for the keys and values of a small model.
     *
     * @param context most tokens of a text
     */
    default long keyValueBytes(int context) {
        return switch (this) {
            case None(), PromptLookup(var _) -> 0;
            case Draft(var _, var shape) -> MOST_TEXTS * context * shape.bytesPerToken();
        };
    }

    /** Most tokens of a draft; 0 if there are none. */
    default int mostTokens() {
        return switch (this) {
            case None() -> 0;
            case PromptLookup(var most) -> most;
            case Draft(var most, var _) -> most;
        };
    }

    private static void check(String field, int tokens) {
        Checks.that(
                tokens >= 1 && tokens <= MOST_TOKENS,
                "speculation.%s is %d, must be 1 to %d",
                field,
                tokens,
                MOST_TOKENS);
    }
}
