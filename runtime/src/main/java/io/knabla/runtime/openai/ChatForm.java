package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.List;

/** An answer as chat completion. */
record ChatForm(TokenTexts texts, boolean logprobs) implements AnswerForm {
    @Override
    public String object(boolean chunk) {
        return chunk ? "chat.completion.chunk" : "chat.completion";
    }

    @Override
    public boolean hasOpening() {
        return true;
    }

    @Override
    public void opening(JsonWriter json) {
        json.raw("\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null");
    }

    @Override
    public void piece(JsonWriter json, int choice, Piece piece) {
        json.raw("\"delta\":{\"content\":").text(piece.text()).raw("},");
        logprobs(json, piece.tokens());
    }

    @Override
    public void last(JsonWriter json) {
        json.raw("\"delta\":{},\"logprobs\":null");
    }

    @Override
    public void whole(JsonWriter json, ChoiceText text) {
        json.raw("\"message\":{\"role\":\"assistant\",\"content\":").text(text.text());
        json.raw(",\"refusal\":null},");
        logprobs(json, text.tokens());
    }

    private void logprobs(JsonWriter json, List<GeneratedToken> tokens) {
        json.raw("\"logprobs\":");
        if (logprobs) {
            ChatLogprobs.write(json, tokens, texts);
        } else {
            json.raw("null");
        }
    }
}
