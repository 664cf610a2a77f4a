package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.schema.JsonValue.Numeral;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** One schema: its keywords, and where it stands. What is wrong with a keyword's value becomes a fault. */
final class Keywords {
    static final Set<String> ANNOTATIONS = Set.of(
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "definitions");

    private static final List<String> SUPPORTED = List.of(
            "type",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum");

    /** Digits of a number beyond which arithmetic would take long. */
    private static final int MOST_SCALE = 100;

    private final Map<String, JsonValue> byName;
    private final String pointer;
    private final SchemaFaults faults;

    Keywords(Map<String, JsonValue> byName, String pointer, SchemaFaults faults) {
        this.byName = byName;
        this.pointer = pointer;
        this.faults = faults;
    }

    String pointer() {
        return pointer;
    }

    /** Pointer of a keyword, or of what it holds. */
    String pointer(String... path) {
        var whole = new StringBuilder(pointer);
        for (String one : path) {
            whole.append('/').append(one.replace("~", "~0").replace("/", "~1"));
        }
        return whole.toString();
    }

    void fault(String keyword, String message, Object... arguments) {
        faults.add(pointer(keyword), message, arguments);
    }

    /** A fault of several keywords together. */
    void faultOfAll(String message) {
        faults.add(pointer, message);
    }

    /** Tells of keywords that are not supported. */
    void checkNames() {
        for (String name : byName.keySet()) {
            if (!SUPPORTED.contains(name) && !ANNOTATIONS.contains(name)) {
                fault(
                        name,
                        "this keyword is not supported; a schema may have %s, and the annotations %s",
                        String.join(", ", SUPPORTED),
                        String.join(", ", new TreeSet<>(ANNOTATIONS)));
            }
        }
    }

    /** Tells of keywords that may not stand beside this one. */
    void checkAlone(String keyword, String... allowed) {
        for (String name : byName.keySet()) {
            if (SUPPORTED.contains(name)
                    && !name.equals(keyword)
                    && !List.of(allowed).contains(name)) {
                fault(name, "it cannot stand beside '%s' here; write one schema that says both", keyword);
            }
        }
    }

    boolean has(String keyword) {
        return byName.containsKey(keyword);
    }

    boolean hasAny(Collection<String> keywords) {
        return keywords.stream().anyMatch(byName::containsKey);
    }

    Optional<JsonValue> value(String keyword) {
        return Optional.ofNullable(byName.get(keyword));
    }

    Optional<String> text(String keyword) {
        Optional<JsonValue> value = value(keyword);
        if (value.isPresent() && !(value.get() instanceof JsonValue.Text)) {
            fault(keyword, "it must be a string");
            return Optional.empty();
        }
        return value.map(text -> ((JsonValue.Text) text).text());
    }

    /** A list of strings; empty if it is absent. */
    List<String> texts(String keyword) {
        List<String> texts = new ArrayList<>();
        for (JsonValue item : items(keyword)) {
            if (item instanceof JsonValue.Text(var text)) {
                texts.add(text);
            } else {
                fault(keyword, "it must be a list of strings");
            }
        }
        return texts;
    }

    /** A list; empty if it is absent. */
    List<JsonValue> items(String keyword) {
        Optional<JsonValue> value = value(keyword);
        if (value.isPresent() && value.get() instanceof JsonValue.Items(var items)) {
            return items;
        }
        if (value.isPresent()) {
            fault(keyword, "it must be a list");
        }
        return List.of();
    }

    /** An object's fields; empty if it is absent. */
    Map<String, JsonValue> fields(String keyword) {
        Optional<JsonValue> value = value(keyword);
        if (value.isPresent() && value.get() instanceof JsonValue.Fields(var fields)) {
            return fields;
        }
        if (value.isPresent()) {
            fault(keyword, "it must be an object");
        }
        return Map.of();
    }

    /** A number of things, up to 2^31 - 1: larger ones are as good as that. */
    OptionalInt count(String keyword) {
        Optional<BigDecimal> number = number(keyword);
        if (number.isEmpty()) {
            return OptionalInt.empty();
        }
        boolean whole = number.get().signum() >= 0
                && number.get().remainder(BigDecimal.ONE).signum() == 0;
        if (!whole) {
            fault(keyword, "it must be a whole number of 0 or more");
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                number.get().min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValueExact());
    }

    Optional<BigDecimal> number(String keyword) {
        Optional<JsonValue> value = value(keyword);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (value.get() instanceof Numeral(var digits)) {
            var number = new BigDecimal(digits);
            if (Math.abs((long) number.scale()) <= MOST_SCALE) {
                return Optional.of(number);
            }
        }
        fault(keyword, "it must be a number, written with an exponent of -%1$d to %1$d", MOST_SCALE);
        return Optional.empty();
    }
}
