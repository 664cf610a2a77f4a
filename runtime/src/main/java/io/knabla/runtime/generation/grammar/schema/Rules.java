package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Compiles schemas, each to a state that reads its values. */
final class Rules {
    private static final int MOST_ALTERNATIVES = 256;
    private static final int DEEPEST = 256;

    private final AutomatonBuilder automaton;
    private final SchemaFaults faults;
    private final SchemaReferences references;
    private final boolean strict;
    private final TextRules texts;
    private final StringRules strings;
    private final NumberRules numbers;
    private final ArrayRules arrays;
    private final ObjectRules objects;
    private final Map<String, Integer> referred = new HashMap<>();
    private Optional<Integer> anyValue = Optional.empty();
    private int depth;

    /** @param strict whether objects must name all their properties, as OpenAI's flag of this name asks */
    Rules(JsonValue root, boolean strict, AutomatonBuilder automaton, SchemaFaults faults) {
        this.automaton = automaton;
        this.faults = faults;
        this.strict = strict;
        this.references = new SchemaReferences(root);
        this.texts = new TextRules(automaton);
        this.strings = new StringRules(texts);
        this.numbers = new NumberRules(texts);
        this.arrays = new ArrayRules(automaton, this);
        this.objects = new ObjectRules(automaton, this);
    }

    boolean isStrict() {
        return strict;
    }

    /** @param pointer of the schema, for faults */
    int rule(JsonValue schema, String pointer) {
        if (++depth > DEEPEST) {
            throw new TooLargeException("its schemas and references nest deeper than %d".formatted(DEEPEST));
        }
        int rule = of(schema, pointer);
        depth--;
        return rule;
    }

    private int of(JsonValue schema, String pointer) {
        return switch (schema) {
            case JsonValue.Fields(var fields) -> rule(new Keywords(fields, pointer, faults));
            case JsonValue.Flag(var anything) when anything -> anyValue();
            default -> {
                faults.add(pointer, "a schema must be an object here");
                yield automaton.state();
            }
        };
    }

    private int rule(Keywords schema) {
        schema.checkNames();
        if (schema.has("$ref")) {
            return referred(schema);
        }
        if (schema.has("allOf")) {
            return all(schema);
        }
        if (schema.has("anyOf") || schema.has("oneOf")) {
            return alternatives(schema, schema.has("anyOf") ? "anyOf" : "oneOf");
        }
        return schema.has("enum") || schema.has("const") ? constants(schema) : typed(schema);
    }

    private int referred(Keywords schema) {
        schema.checkAlone("$ref");
        String reference = schema.text("$ref").orElse("");
        Integer known = referred.get(reference);
        if (known != null) {
            return known;
        }
        int state = automaton.state();
        referred.put(reference, state);
        references
                .find(reference)
                .ifPresentOrElse(
                        found -> automaton.jump(state, rule(found, reference)),
                        () -> schema.fault("$ref", "there is nothing at '%s'; it may be # or #/$defs/NAME", reference));
        return state;
    }

    private int all(Keywords schema) {
        schema.checkAlone("allOf");
        List<JsonValue> parts = schema.items("allOf");
        if (parts.size() != 1) {
            schema.fault("allOf", "it must have one schema; write those that must hold together as one");
            return automaton.state();
        }
        return rule(parts.getFirst(), schema.pointer("allOf", "0"));
    }

    private int alternatives(Keywords schema, String keyword) {
        schema.checkAlone(keyword);
        List<JsonValue> options = schema.items(keyword);
        if (options.isEmpty() || options.size() > MOST_ALTERNATIVES) {
            schema.fault(keyword, "it must have 1 to %d schemas", MOST_ALTERNATIVES);
            return automaton.state();
        }
        if (keyword.equals("oneOf") && !new Disjoint(references::resolve).all(options)) {
            schema.fault(
                    keyword,
                    "its schemas may hold together; use anyOf, or give each another type, or a required property with another const");
        }
        int state = automaton.state();
        for (int i = 0; i < options.size(); i++) {
            automaton.jump(state, rule(options.get(i), schema.pointer(keyword, Integer.toString(i))));
        }
        return state;
    }

    private int constants(Keywords schema) {
        String keyword = schema.has("const") ? "const" : "enum";
        schema.checkAlone(keyword, "type");
        List<JsonValue> values = schema.value("const").map(List::of).orElseGet(() -> schema.items("enum"));
        Set<JsonType> types = JsonType.of(schema);
        List<byte[]> allowed = values.stream()
                .filter(value -> !schema.has("type") || types.stream().anyMatch(type -> type.has(value)))
                .map(JsonText::bytes)
                .toList();
        if (allowed.isEmpty()) {
            schema.fault(keyword, "it has no value of the schema's type");
        }
        return texts.constants(allowed);
    }

    private int typed(Keywords schema) {
        Set<JsonType> types = JsonType.of(schema);
        List<Integer> states = new ArrayList<>();
        types.stream()
                .filter(type -> type != JsonType.INTEGER || !types.contains(JsonType.NUMBER))
                .forEach(type -> states.add(ofType(type, schema)));
        return states.size() == 1 ? states.getFirst() : union(states);
    }

    private int union(List<Integer> states) {
        int state = automaton.state();
        states.forEach(one -> automaton.jump(state, one));
        return state;
    }

    private int ofType(JsonType type, Keywords schema) {
        return switch (type) {
            case NULL -> words("null");
            case BOOLEAN -> words("true", "false");
            case INTEGER -> numbers.integer(schema);
            case NUMBER -> numbers.number(schema);
            case STRING -> strings.string(schema);
            case ARRAY -> arrays.array(schema);
            case OBJECT -> objects.object(schema);
        };
    }

    private int words(String... words) {
        return texts.constants(Stream.of(words)
                .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                .toList());
    }

    /** Any JSON value. */
    int anyValue() {
        if (anyValue.isEmpty()) {
            int state = automaton.state();
            anyValue = Optional.of(state);
            var items = new ArrayRules.Shape(List.of(), anyValue, 0, -1);
            List.of(
                            objects.anyObject(),
                            arrays.array(items),
                            anyString(),
                            numbers.number(),
                            words("true", "false", "null"))
                    .forEach(one -> automaton.jump(state, one));
        }
        return anyValue.get();
    }

    int anyObject() {
        return objects.anyObject();
    }

    int anyString() {
        return texts.string(0, -1);
    }

    /** Reads the rest of a string of any characters. */
    void stringRest(int from, int end) {
        texts.stringRest(from, end);
    }

    /** The state after a blank, or none: models write one after a comma and a colon. */
    int afterBlank(int from) {
        int after = automaton.state();
        automaton.bytes(from, ' ', ' ', after);
        automaton.jump(from, after);
        return after;
    }
}
