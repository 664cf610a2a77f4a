package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.List;
import java.util.stream.Stream;

/** How an answer is written: as chat completion or as completion; whole, or in chunks. For one answer. */
interface AnswerForm {
    /** Type of the object, such as {@code chat.completion}. */
    String object(boolean chunk);

    /** Whether each text has a chunk before its first piece. */
    boolean hasOpening();

    /** Writes the members of a chunk's choice between its index and its reason to finish. */
    void opening(JsonWriter json);

    void piece(JsonWriter json, int choice, Piece piece);

    void last(JsonWriter json);

    /** Writes the members of a choice of a whole answer between its index and its reason to finish. */
    void whole(JsonWriter json, ChoiceText text);

    static String reason(FinishReason reason) {
        return switch (reason) {
            case STOP, CANCELLED -> "\"stop\"";
            case LENGTH -> "\"length\"";
        };
    }

    /** Whether anything of the piece is told. */
    static boolean isTold(Piece piece, boolean logprobs) {
        return !piece.text().isEmpty() || logprobs && !piece.tokens().isEmpty();
    }

    /** Texts of a response that is not streamed. */
    static List<ChoiceText> texts(int choices) {
        return Stream.generate(ChoiceText::new).limit(choices).toList();
    }
}
