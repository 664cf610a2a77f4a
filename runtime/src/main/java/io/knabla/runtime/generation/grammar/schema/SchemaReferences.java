package io.knabla.runtime.generation.grammar.schema;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the schemas that {@code $ref} names: the whole one, and those of {@code $defs} or {@code definitions}. */
final class SchemaReferences {
    private static final List<String> PLACES = List.of("$defs", "definitions");

    private final JsonValue root;

    SchemaReferences(JsonValue root) {
        this.root = root;
    }

    /** @param reference such as {@code #/$defs/node} */
    Optional<JsonValue> find(String reference) {
        if (reference.equals("#")) {
            return Optional.of(root);
        }
        for (String place : PLACES) {
            String prefix = "#/" + place + "/";
            if (reference.startsWith(prefix)
                    && root instanceof JsonValue.Fields(var fields)
                    && fields.get(place) instanceof JsonValue.Fields(Map<String, JsonValue> byName)) {
                return Optional.ofNullable(byName.get(name(reference.substring(prefix.length()))));
            }
        }
        return Optional.empty();
    }

    /** Undoes the escapes of a fragment, then those of JSON Pointer (RFC 6901). */
    private static String name(String escaped) {
        try {
            String decoded = URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
            return decoded.replace("~1", "/").replace("~0", "~");
        } catch (IllegalArgumentException notEscaped) {
            return escaped;
        }
    }

    /** What a schema that only refers to another one stands for. */
    JsonValue resolve(JsonValue schema) {
        boolean refers = schema instanceof JsonValue.Fields(var fields) && fields.get("$ref") instanceof JsonValue.Text;
        if (!refers) {
            return schema;
        }
        String reference =
                ((JsonValue.Text) ((JsonValue.Fields) schema).byName().get("$ref")).text();
        return find(reference).orElse(schema);
    }
}
