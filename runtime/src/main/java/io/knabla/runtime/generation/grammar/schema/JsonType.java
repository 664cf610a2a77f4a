package io.knabla.runtime.generation.grammar.schema;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Types of JSON Schema, each with the keywords that say something about its values alone. */
enum JsonType {
    NULL,
    BOOLEAN,
    INTEGER("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    NUMBER("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    STRING("minLength", "maxLength", "pattern", "format"),
    ARRAY("items", "prefixItems", "minItems", "maxItems"),
    OBJECT("properties", "required", "additionalProperties");

    private final List<String> keywords;

    JsonType(String... keywords) {
        this.keywords = List.of(keywords);
    }

    /** Name in a schema. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String labels() {
        return Arrays.stream(values()).map(JsonType::label).collect(Collectors.joining(", "));
    }

    private static Optional<JsonType> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }

    /** Types that a schema names; without one those that its other keywords are about, and without these all. */
    static Set<JsonType> of(Keywords schema) {
        if (schema.has("type")) {
            return named(schema);
        }
        Set<JsonType> meant = EnumSet.noneOf(JsonType.class);
        for (JsonType type : values()) {
            if (schema.hasAny(type.keywords) && type != INTEGER) {
                meant.add(type);
            }
        }
        return meant.isEmpty() ? EnumSet.complementOf(EnumSet.of(INTEGER)) : meant;
    }

    private static Set<JsonType> named(Keywords schema) {
        boolean one = schema.value("type").orElseThrow() instanceof JsonValue.Text;
        List<String> labels = one ? List.of(schema.text("type").orElseThrow()) : schema.texts("type");
        Set<JsonType> types = EnumSet.noneOf(JsonType.class);
        for (String label : labels) {
            of(label)
                    .ifPresentOrElse(
                            types::add, () -> schema.fault("type", "'%s' is no type; types are %s", label, labels()));
        }
        if (labels.isEmpty()) {
            schema.fault("type", "it must name a type; types are %s", labels());
        }
        return types;
    }

    /** Whether a value is of this type. */
    boolean has(JsonValue value) {
        return switch (value) {
            case JsonValue.Null _ -> this == NULL;
            case JsonValue.Flag _ -> this == BOOLEAN;
            case JsonValue.Numeral(var digits) -> this == NUMBER || this == INTEGER && isWhole(digits);
            case JsonValue.Text _ -> this == STRING;
            case JsonValue.Items _ -> this == ARRAY;
            case JsonValue.Fields _ -> this == OBJECT;
        };
    }

    /** Of numbers with a point or an exponent nothing else is asked, for 1.0 is an integer to some only. */
    private static boolean isWhole(String digits) {
        return digits.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
    }
}
