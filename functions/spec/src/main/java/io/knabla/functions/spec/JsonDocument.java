package io.knabla.functions.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.knabla.functions.spec.Tree.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Parses JSON into a tree; returns empty for text that is not JSON. */
final class JsonDocument {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(50).build())
            .build();

    private final JsonParser parser;
    private final Findings findings;

    private JsonDocument(JsonParser parser, Findings findings) {
        this.parser = parser;
        this.findings = findings;
    }

    static Optional<Tree> read(String text, Findings findings) {
        try (JsonParser parser = JSON.createParser(text)) {
            parser.nextToken();
            Tree tree = new JsonDocument(parser, findings).value("");
            return parser.nextToken() == null ? Optional.of(tree) : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private Tree value(String path) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> mapping(path);
            case START_ARRAY -> sequence(path);
            case VALUE_NUMBER_INT -> scalar(Kind.INTEGER);
            case VALUE_NUMBER_FLOAT -> scalar(Kind.DECIMAL);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Kind.BOOLEAN);
            case VALUE_NULL -> scalar(Kind.NULL);
            case null, default -> scalar(Kind.TEXT);
        };
    }

    private Tree scalar(Kind kind) throws IOException {
        return new Tree.Scalar(kind, parser.getText());
    }

    private Tree mapping(String path) throws IOException {
        LinkedHashMap<String, Tree> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            int line = parser.currentLocation().getLineNr();
            String at = MappingReader.join(path, key);
            parser.nextToken();
            if (entries.put(key, value(at)) != null) {
                findings.fault(at, "written twice, again in line %d; remove one of them", line);
            }
        }
        return new Tree.Mapping(entries);
    }

    private Tree sequence(String path) throws IOException {
        List<Tree> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(path + "[" + items.size() + "]"));
        }
        return new Tree.Sequence(items);
    }
}
