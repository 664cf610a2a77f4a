package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** States that read objects: properties in the order of the schema, then those that it does not name. */
final class ObjectRules {
    /** Each may be the next one, so that all are followed. */
    private static final int MOST_OPTIONAL = 256;

    private final AutomatonBuilder automaton;
    private final Rules rules;

    ObjectRules(AutomatonBuilder automaton, Rules rules) {
        this.automaton = automaton;
        this.rules = rules;
    }

    /** A property: its name, the state that reads its value, and whether it must be there. */
    private record Property(String name, int rule, boolean required) {}

    int object(Keywords schema) {
        Set<String> required = new LinkedHashSet<>(schema.texts("required"));
        Optional<Integer> additional = additional(schema);
        List<Property> properties = new ArrayList<>();
        Map<String, JsonValue> named = schema.fields("properties");
        named.forEach((name, value) -> properties.add(
                new Property(name, rules.rule(value, schema.pointer("properties", name)), required.contains(name))));
        for (String name : required) {
            if (!named.containsKey(name)) {
                properties.add(new Property(name, unnamed(schema, additional), true));
            }
        }
        if (properties.stream().filter(one -> !one.required()).count() > MOST_OPTIONAL) {
            schema.fault("properties", "at most %d of them may be missing in 'required'", MOST_OPTIONAL);
        }
        checkStrict(schema, named.keySet(), required);
        return object(properties, additional);
    }

    /** Properties that a schema does not name are only written where it says what they are. */
    private Optional<Integer> additional(Keywords schema) {
        Optional<JsonValue> value = schema.value("additionalProperties");
        if (value.isEmpty()) {
            boolean says = schema.has("properties") || schema.has("required");
            return says ? Optional.empty() : Optional.of(rules.anyValue());
        }
        boolean none = value.get() instanceof JsonValue.Flag(var allowed) && !allowed;
        return none ? Optional.empty() : Optional.of(rules.rule(value.get(), schema.pointer("additionalProperties")));
    }

    private int unnamed(Keywords schema, Optional<Integer> additional) {
        if (additional.isEmpty() && schema.has("additionalProperties")) {
            schema.fault(
                    "required",
                    "it names a property that 'properties' does not have and additionalProperties excludes");
        }
        return additional.orElseGet(rules::anyValue);
    }

    private void checkStrict(Keywords schema, Set<String> named, Set<String> required) {
        if (!rules.isStrict()) {
            return;
        }
        boolean closed = schema.value("additionalProperties")
                .filter(value -> value instanceof JsonValue.Flag(var allowed) && !allowed)
                .isPresent();
        if (!closed) {
            schema.fault("additionalProperties", "with 'strict': true it must be there, and false");
        }
        if (!required.containsAll(named)) {
            schema.fault(
                    "required",
                    "with 'strict': true it must name all properties; one that may be missing has type null beside its own");
        }
    }

    /** Any object. */
    int anyObject() {
        return object(List.of(), Optional.of(rules.anyValue()));
    }

    /**
     * Where an object goes on.
     *
     * @param empty state of one that has no property yet, so that no comma is before the next one
     * @param filled state of one that has some
     */
    private record Place(int empty, int filled) {}

    private int object(List<Property> properties, Optional<Integer> additional) {
        int start = automaton.state();
        int end = automaton.state();
        automaton.accept(end);
        Place place = new Place(automaton.state(), automaton.state());
        automaton.bytes(start, '{', '{', place.empty());
        for (Property property : properties) {
            place = after(place, property);
        }
        automaton.bytes(place.empty(), '}', '}', end);
        automaton.bytes(place.filled(), '}', '}', end);
        if (additional.isPresent()) {
            enter(place, entry(properties, additional.get(), end));
        }
        return start;
    }

    private Place after(Place before, Property property) {
        int entry = automaton.state();
        Place after = new Place(automaton.state(), automaton.state());
        enter(before, entry);
        int value = value(automaton.text(entry, name(property.name())));
        automaton.call(value, property.rule(), after.filled());
        if (!property.required()) {
            automaton.jump(before.empty(), after.empty());
            automaton.jump(before.filled(), after.filled());
        }
        return after;
    }

    private void enter(Place place, int entry) {
        automaton.jump(place.empty(), entry);
        comma(place.filled(), entry);
    }

    private void comma(int from, int to) {
        int after = automaton.state();
        automaton.bytes(from, ',', ',', after);
        automaton.jump(rules.afterBlank(after), to);
    }

    /** The state before a value, after a colon. */
    private int value(int afterName) {
        int after = automaton.state();
        automaton.bytes(afterName, ':', ':', after);
        return rules.afterBlank(after);
    }

    private static byte[] name(String name) {
        return JsonText.bytes(new JsonValue.Text(name));
    }

    /** Reads any number of properties with other names, and the end of the object. */
    private int entry(List<Property> properties, int rule, int end) {
        int entry = automaton.state();
        int after = automaton.state();
        int named = automaton.state();
        automaton.call(value(named), rule, after);
        automaton.bytes(after, '}', '}', end);
        comma(after, entry);
        if (properties.isEmpty()) {
            automaton.call(entry, rules.anyString(), named);
        } else {
            List<byte[]> names =
                    properties.stream().map(one -> name(one.name())).toList();
            new OtherPropertyNames(automaton, rules).read(entry, names, named);
        }
        return entry;
    }
}
