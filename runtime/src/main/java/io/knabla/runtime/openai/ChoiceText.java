package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import java.util.ArrayList;
import java.util.List;

/** Collects the text and tokens of one choice of a response that is not streamed. */
final class ChoiceText {
    private final StringBuilder text = new StringBuilder();
    private final List<GeneratedToken> tokens = new ArrayList<>();
    private FinishReason reason = FinishReason.CANCELLED;

    void add(Piece piece) {
        text.append(piece.text());
        tokens.addAll(piece.tokens());
    }

    void finish(FinishReason why) {
        reason = why;
    }

    String text() {
        return text.toString();
    }

    List<GeneratedToken> tokens() {
        return tokens;
    }

    FinishReason reason() {
        return reason;
    }
}
