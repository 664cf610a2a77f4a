package io.knabla.runtime.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** Parses a request's body with Jackson's streaming parser. */
public final class JsonTree {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    // The size of the body is limited already.
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(80)
                    .maxNumberLength(400)
                    .build())
            .build();

    /** As long as the names of tensors may be. */
    private static final int LONGEST_NAME = 1024;

    private static final Set<String> NON_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private final JsonParser in;
    private final NumberList numbers = new NumberList();

    private final boolean quotedNumbers;

    private JsonTree(JsonParser in, boolean quotedNumbers) {
        this.in = in;
        this.quotedNumbers = quotedNumbers;
    }

    /**
     * Parses the first {@code length} bytes.
     *
     * @param quotedNumbers whether "NaN", "Infinity" and "-Infinity" in arrays are numbers, not texts
     * @throws JsonException if they are not one JSON document
     */
    public static Json read(byte[] bytes, int length, boolean quotedNumbers) {
        try (JsonParser in = JSON.createParser(bytes, 0, length)) {
            JsonToken first = in.nextToken();
            if (first == null) {
                throw new JsonException("the body is empty");
            }
            Json document = new JsonTree(in, quotedNumbers).value(first);
            if (in.nextToken() != null) {
                throw new JsonException("something follows the document");
            }
            return document;
        } catch (JacksonException bad) {
            throw new JsonException(bad.getOriginalMessage());
        } catch (IOException bad) {
            throw new JsonException(bad.getMessage());
        }
    }

    private Json value(JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> fields();
            case START_ARRAY -> array();
            case VALUE_STRING -> new Json.Text(in.getText());
            case VALUE_NULL -> new Json.Null();
            case VALUE_TRUE -> number(1, 1);
            case VALUE_FALSE -> number(0, 0);
            case VALUE_NUMBER_FLOAT -> real(in.getDoubleValue());
            case VALUE_NUMBER_INT -> integer();
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("the parser is out of step at " + token);
        };
    }

    private Json.Numbers integer() throws IOException {
        return switch (in.getNumberType()) {
            case INT, LONG -> number(in.getLongValue(), in.getDoubleValue());
            case BIG_INTEGER -> number(in.getBigIntegerValue().longValue(), in.getDoubleValue());
            case FLOAT, DOUBLE, BIG_DECIMAL -> real(in.getDoubleValue());
        };
    }

    private Json.Numbers number(long value, double near) {
        numbers.add(value, near);
        return new Json.Numbers(numbers, numbers.size() - 1, 1, List.of());
    }

    private Json.Numbers real(double value) {
        numbers.add(value);
        return new Json.Numbers(numbers, numbers.size() - 1, 1, List.of());
    }

    private Json fields() throws IOException {
        var fields = new LinkedHashMap<String, Json>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            if (name.length() > LONGEST_NAME) {
                throw new JsonException("the name of a field has %d characters, at most %d are allowed"
                        .formatted(name.length(), LONGEST_NAME));
            }
            fields.put(name, value(in.nextToken()));
        }
        return new Json.Fields(fields);
    }

    private Json array() throws IOException {
        int from = numbers.size();
        int scalars = 0;
        JsonToken token = in.nextToken();
        while (isNumber(token)) {
            // No object per number: an image would become a million objects.
            number(token);
            scalars++;
            token = in.nextToken();
        }
        if (token == JsonToken.END_ARRAY) {
            return new Json.Numbers(numbers, from, scalars, List.of(scalars));
        }
        var items = new ArrayList<Json>();
        for (int i = 0; i < scalars; i++) {
            items.add(new Json.Numbers(numbers, from + i, 1, List.of()));
        }
        while (token != JsonToken.END_ARRAY) {
            items.add(value(token));
            token = in.nextToken();
        }
        return regular(items, from);
    }

    /**
     * NaN and infinities may also be in quotes, as {@code infer} writes them, and NaN null, as Tesseract's clients do.
     */
    private boolean isNumber(JsonToken token) throws IOException {
        return token.isNumeric()
                || token.isBoolean()
                || token == JsonToken.VALUE_NULL
                || quotedNumbers && token == JsonToken.VALUE_STRING && NON_FINITE.contains(in.getText());
    }

    private void number(JsonToken token) throws IOException {
        if (token == JsonToken.VALUE_NULL) {
            real(Double.NaN);
        } else if (token == JsonToken.VALUE_STRING) {
            real(Double.parseDouble(in.getText()));
        } else {
            value(token);
        }
    }

    /** Merges the items into one block of numbers if all have the same shape. */
    private Json regular(List<Json> items, int from) {
        List<Integer> shape = null;
        for (Json item : items) {
            if (!(item instanceof Json.Numbers one)
                    || one.shape().isEmpty()
                    || shape != null && !shape.equals(one.shape())) {
                return new Json.Items(items);
            }
            shape = one.shape();
        }
        var whole = new ArrayList<Integer>();
        whole.add(items.size());
        whole.addAll(shape);
        return new Json.Numbers(numbers, from, numbers.size() - from, whole);
    }
}
