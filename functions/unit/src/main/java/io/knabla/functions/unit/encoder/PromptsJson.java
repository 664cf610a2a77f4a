package io.knabla.functions.unit.encoder;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.knabla.functions.unit.Checks;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes prompts as a JSON list. */
final class PromptsJson {
    private static final String NAME = "name";
    private static final String TEXT = "text";
    private static final String LEFT_OUT = "leftOut";

    private PromptsJson() {}

    static void write(JsonGenerator out, List<Prompt> prompts) throws IOException {
        out.writeStartArray();
        for (Prompt prompt : prompts) {
            out.writeStartObject();
            out.writeStringField(NAME, prompt.name());
            out.writeStringField(TEXT, prompt.text());
            out.writeNumberField(LEFT_OUT, prompt.leftOut());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** @param in at the beginning of the list; afterwards at its end */
    static List<Prompt> read(JsonParser in) throws IOException {
        Checks.that(in.currentToken() == JsonToken.START_ARRAY, "'%s' is no list", in.currentName());
        List<Prompt> prompts = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            Checks.that(in.currentToken() == JsonToken.START_OBJECT, "a prompt is no JSON object");
            prompts.add(prompt(in));
        }
        return prompts;
    }

    private static Prompt prompt(JsonParser in) throws IOException {
        String name = null;
        String text = null;
        int leftOut = 0;
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case NAME -> name = text(in);
                case TEXT -> text = text(in);
                case LEFT_OUT -> leftOut = in.getIntValue();
                default -> Checks.that(false, "field '%s' of a prompt is unknown", field);
            }
        }
        Checks.that(name != null && text != null, "a prompt needs '%s' and '%s'", NAME, TEXT);
        return new Prompt(name, text, leftOut);
    }

    /** @param in at the value */
    static String text(JsonParser in) throws IOException {
        Checks.that(in.currentToken() == JsonToken.VALUE_STRING, "'%s' is no text", in.currentName());
        return in.getText();
    }
}
