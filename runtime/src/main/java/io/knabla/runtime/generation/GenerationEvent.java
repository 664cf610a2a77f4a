package io.knabla.runtime.generation;

import java.util.List;

/** What becomes known of a text. The last event is {@link Finished} or {@link Failed}. */
public sealed interface GenerationEvent {
    /** Whether no event follows. */
    boolean isLast();

    /**
     * More of the text.
     *
     * @param text whole characters; empty where only tokens without text were generated
     * @param tokens generated since the last piece. A stop text may begin in the last of them, so their text can be
     *     longer
     */
    record Piece(String text, List<GeneratedToken> tokens) implements GenerationEvent {
        public Piece {
            tokens = List.copyOf(tokens);
        }

        @Override
        public boolean isLast() {
            return false;
        }
    }

    /** The text is complete. */
    record Finished(FinishReason reason, TokenUsage usage) implements GenerationEvent {
        @Override
        public boolean isLast() {
            return true;
        }
    }

    /** The text ends here without being complete. */
    record Failed(GenerationFailure failure) implements GenerationEvent {
        @Override
        public boolean isLast() {
            return true;
        }
    }
}
