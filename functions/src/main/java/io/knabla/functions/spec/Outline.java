package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;

/** Collects the OpenAPI schema of a mapping: runs its reader on an empty mapping and records each requested key. */
final class Outline extends Block {
    private final ObjectNode schema = Structural.object();

    private Outline() {
        super(new LinkedHashMap<>(), "", new Findings());
    }

    static ObjectNode schema(Function<Block, ?> reader) {
        Outline outline = new Outline();
        reader.apply(outline);
        return outline.schema;
    }

    /** Puts the default into the schema; the API server fills it in if the key is absent. */
    @Override
    <T> T get(String key, Type<T> type, T fallback) {
        property(key, type);
        Structural.fallback(schema, key, fallback);
        return fallback;
    }

    @Override
    <T> Optional<T> find(String key, Type<T> type) {
        property(key, type);
        return Optional.empty();
    }

    @Override
    <T> T require(String key, Type<T> type, T standIn, String whatToWrite) {
        property(key, type);
        schema.withArray("required").add(key);
        return standIn;
    }

    private void property(String key, Type<?> type) {
        schema.withObjectProperty("properties").set(key, type.schema());
    }
}
