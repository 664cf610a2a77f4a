package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/** How a replica drafts tokens of a text, to verify them in one run (speculative decoding). */
public sealed interface Speculation {
    /** Each token is computed in a run of its own. */
    record None() implements Speculation {}

    /**
     * Drafts what followed the text's last tokens before (Saxena, Prompt Lookup Decoding, 2023).
     *
     * @param maxTokens most tokens of a draft, 1 to {@value #MOST_TOKENS}
     */
    record PromptLookup(int maxTokens) implements Speculation {
        /** Longer drafts are hardly ever right to their end. */
        public static final int MOST_TOKENS = 16;

        public PromptLookup {
            Checks.that(
                    maxTokens >= 1 && maxTokens <= MOST_TOKENS,
                    "speculation.promptLookupTokens is %d, must be 1 to %d",
                    maxTokens,
                    MOST_TOKENS);
        }
    }

    /** Most tokens of a draft; 0 if there are none. */
    default int mostTokens() {
        return switch (this) {
            case None() -> 0;
            case PromptLookup(var most) -> most;
        };
    }
}
