package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.List;

/** Writes an answer in the form of a text completion. */
final class CompletionForm implements AnswerForm {
    private final TokenTexts texts;
    private final boolean logprobs;

    /** Where the next token of each text begins. */
    private final int[] offsets;

    CompletionForm(TokenTexts texts, boolean logprobs, int choices) {
        this.texts = texts;
        this.logprobs = logprobs;
        this.offsets = new int[choices];
    }

    @Override
    public String object(boolean chunk) {
        return "text_completion";
    }

    @Override
    public boolean hasOpening() {
        return false;
    }

    @Override
    public void opening(JsonWriter json) {
        throw new IllegalStateException("a completion has no opening");
    }

    @Override
    public void piece(JsonWriter json, int choice, Piece piece) {
        json.raw("\"text\":").text(piece.text()).raw(",");
        offsets[choice] = logprobs(json, piece.tokens(), offsets[choice]);
    }

    @Override
    public void last(JsonWriter json) {
        json.raw("\"text\":\"\",\"logprobs\":null");
    }

    @Override
    public void whole(JsonWriter json, ChoiceText text) {
        json.raw("\"text\":").text(text.text()).raw(",");
        logprobs(json, text.tokens(), 0);
    }

    private int logprobs(JsonWriter json, List<GeneratedToken> tokens, int offset) {
        json.raw("\"logprobs\":");
        if (logprobs) {
            return CompletionLogprobs.write(json, tokens, texts, offset);
        }
        json.raw("null");
        return offset;
    }
}
