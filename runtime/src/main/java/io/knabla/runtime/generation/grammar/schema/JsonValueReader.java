package io.knabla.runtime.generation.grammar.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one field of a JSON document under limits. */
public final class JsonValueReader {
    private static final int MOST_VALUES = 50_000;
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int DEEPEST = 80;

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(400)
                    .build())
            .build();

    private final JsonParser in;
    private int values;
    private long characters;

    private JsonValueReader(JsonParser in) {
        this.in = in;
    }

    /**
     * The value of a field of the object that the first {@code length} bytes are; empty without the field.
     *
     * @throws TooLargeException if it has too many values or characters
     * @throws IOException if it is not JSON
     */
    public static Optional<JsonValue> field(byte[] document, int length, String name) throws IOException {
        try (JsonParser in = JSON.createParser(document, 0, length)) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = in.currentName().equals(name);
                JsonToken value = in.nextToken();
                if (found) {
                    return Optional.of(new JsonValueReader(in).value(value));
                }
                in.skipChildren();
            }
            return Optional.empty();
        }
    }

    private JsonValue value(JsonToken token) throws IOException {
        count(token.isScalarValue() ? in.getTextLength() : 0);
        return switch (token) {
            case START_OBJECT -> fields();
            case START_ARRAY -> items();
            case VALUE_STRING -> new JsonValue.Text(in.getText());
            case VALUE_TRUE, VALUE_FALSE -> new JsonValue.Flag(in.getBooleanValue());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Numeral(in.getText());
            default -> new JsonValue.Null();
        };
    }

    private void count(int length) {
        characters += length;
        if (++values > MOST_VALUES || characters > MOST_CHARACTERS) {
            throw new TooLargeException(
                    "it has more than %d values or %d characters".formatted(MOST_VALUES, MOST_CHARACTERS));
        }
    }

    private JsonValue fields() throws IOException {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            count(name.length());
            fields.put(name, value(in.nextToken()));
        }
        return new JsonValue.Fields(fields);
    }

    private JsonValue items() throws IOException {
        List<JsonValue> items = new ArrayList<>();
        JsonToken token = in.nextToken();
        while (token != null && token != JsonToken.END_ARRAY) {
            items.add(value(token));
            token = in.nextToken();
        }
        return new JsonValue.Items(items);
    }
}
