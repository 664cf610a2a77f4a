package io.knabla.runtime.generation.grammar.schema;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Tells whether no value is of two schemas: then "exactly one of" is the same as "any of". */
final class Disjoint {
    private final UnaryOperator<JsonValue> resolve;

    /** @param resolve the schema that another one refers to, or that one itself */
    Disjoint(UnaryOperator<JsonValue> resolve) {
        this.resolve = resolve;
    }

    boolean all(List<JsonValue> schemas) {
        for (int i = 0; i < schemas.size(); i++) {
            for (int k = i + 1; k < schemas.size(); k++) {
                if (!areDisjoint(schemas.get(i), schemas.get(k))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean areDisjoint(JsonValue first, JsonValue second) {
        Optional<Keywords> a = keywords(first);
        Optional<Keywords> b = keywords(second);
        if (a.isEmpty() || b.isEmpty()) {
            return false;
        }
        return haveOtherTypes(a.get(), b.get()) || haveOtherValues(a.get(), b.get()) || haveAMark(a.get(), b.get());
    }

    /** Faults are told where the schemas are compiled. */
    private Optional<Keywords> keywords(JsonValue schema) {
        return resolve.apply(schema) instanceof JsonValue.Fields(var fields)
                ? Optional.of(new Keywords(fields, "", new SchemaFaults()))
                : Optional.empty();
    }

    private static boolean haveOtherTypes(Keywords a, Keywords b) {
        if (!a.has("type") || !b.has("type")) {
            return false;
        }
        Set<JsonType> shared = withNumbers(JsonType.of(a));
        shared.retainAll(withNumbers(JsonType.of(b)));
        return shared.isEmpty();
    }

    private static Set<JsonType> withNumbers(Set<JsonType> types) {
        Set<JsonType> all = EnumSet.noneOf(JsonType.class);
        types.forEach(type -> all.add(type == JsonType.INTEGER ? JsonType.NUMBER : type));
        return all;
    }

    /** Texts differ where they are written differently; of other values that is not so. */
    private static boolean haveOtherValues(Keywords a, Keywords b) {
        Optional<Set<String>> ofA = texts(a);
        Optional<Set<String>> ofB = texts(b);
        if (ofA.isEmpty() || ofB.isEmpty()) {
            return false;
        }
        Set<String> shared = new HashSet<>(ofA.get());
        shared.retainAll(ofB.get());
        return shared.isEmpty();
    }

    private static Optional<Set<String>> texts(Keywords schema) {
        List<JsonValue> values = schema.value("const").map(List::of).orElseGet(() -> schema.items("enum"));
        Set<String> texts = new HashSet<>();
        for (JsonValue value : values) {
            if (!(value instanceof JsonValue.Text(var text))) {
                return Optional.empty();
            }
            texts.add(text);
        }
        return texts.isEmpty() ? Optional.empty() : Optional.of(texts);
    }

    /** Whether both ask for an object with a property whose values differ. */
    private boolean haveAMark(Keywords a, Keywords b) {
        Set<String> marks = new HashSet<>(marks(a).keySet());
        Map<String, JsonValue> others = marks(b);
        marks.retainAll(others.keySet());
        return marks.stream()
                .anyMatch(mark -> keywords(marks(a).get(mark))
                        .flatMap(mine -> keywords(others.get(mark)).map(its -> haveOtherValues(mine, its)))
                        .orElse(false));
    }

    private static Map<String, JsonValue> marks(Keywords schema) {
        boolean onlyObjects = schema.has("type") && JsonType.of(schema).equals(EnumSet.of(JsonType.OBJECT));
        if (!onlyObjects) {
            return Map.of();
        }
        Map<String, JsonValue> properties = new HashMap<>(schema.fields("properties"));
        properties.keySet().retainAll(schema.texts("required"));
        return properties;
    }
}
