package io.knabla.runtime.generation.grammar.schema;

import java.util.List;
import java.util.Map;

/** A JSON value (RFC 8259) as it was written: numbers keep their digits, fields their order. */
public sealed interface JsonValue {
    record Fields(Map<String, JsonValue> byName) implements JsonValue {}

    record Items(List<JsonValue> items) implements JsonValue {}

    record Text(String text) implements JsonValue {}

    /** @param digits as in JSON */
    record Numeral(String digits) implements JsonValue {}

    record Flag(boolean value) implements JsonValue {}

    record Null() implements JsonValue {}
}
