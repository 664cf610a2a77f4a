package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Writes one answer: whole, or as events of a stream. */
final class AnswerWriter {
    static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);

    /** Clients ignore it, and what lies between sees that the connection lives. */
    static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.US_ASCII);

    private final AnswerForm form;
    private final String model;
    private final boolean usage;
    private final String id = UUID.randomUUID().toString().replace("-", "");
    private final long created = Instant.now().getEpochSecond();

    /** @param usage whether chunks say that their usage is null */
    AnswerWriter(AnswerForm form, String model, boolean usage) {
        this.form = form;
        this.model = model;
        this.usage = usage;
    }

    private JsonWriter begin(String start, boolean chunk) {
        JsonWriter json = new JsonWriter(512).raw(start);
        json.raw("{\"id\":\"").raw(form.hasOpening() ? "chatcmpl-" : "cmpl-").raw(id);
        json.raw("\",\"object\":\"").raw(form.object(chunk));
        return json.raw("\",\"created\":")
                .number(created)
                .raw(",\"model\":")
                .text(model)
                .raw(",\"choices\":[");
    }

    HttpResponse whole(List<ChoiceText> texts, TokenTotals totals) {
        JsonWriter json = begin("", false);
        for (int i = 0; i < texts.size(); i++) {
            json.raw(i > 0 ? ",{\"index\":" : "{\"index\":").number(i).raw(",");
            form.whole(json, texts.get(i));
            json.raw(",\"finish_reason\":")
                    .raw(AnswerForm.reason(texts.get(i).reason()))
                    .raw("}");
        }
        json.raw("],\"usage\":");
        totals.write(json);
        json.raw("}");
        return HttpResponse.json(200, done(json));
    }

    byte[] opening(int choice) {
        return chunk(choice, form::opening, "null");
    }

    byte[] piece(int choice, Piece piece) {
        return chunk(choice, json -> form.piece(json, choice, piece), "null");
    }

    byte[] last(int choice, FinishReason reason) {
        return chunk(choice, form::last, AnswerForm.reason(reason));
    }

    private byte[] chunk(int choice, Consumer<JsonWriter> members, String reason) {
        JsonWriter json = begin("data: ", true);
        json.raw("{\"index\":").number(choice).raw(",");
        members.accept(json);
        json.raw(",\"finish_reason\":").raw(reason).raw(usage ? "}],\"usage\":null}\n\n" : "}]}\n\n");
        return done(json);
    }

    byte[] usage(TokenTotals totals) {
        JsonWriter json = begin("data: ", true).raw("],\"usage\":");
        totals.write(json);
        return done(json.raw("}\n\n"));
    }

    static byte[] error(OpenAiException failed) {
        String event = "data: " + new String(failed.error().json(), StandardCharsets.UTF_8) + "\n\n";
        return event.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] done(JsonWriter json) {
        return Arrays.copyOf(json.bytes(), json.size());
    }
}
