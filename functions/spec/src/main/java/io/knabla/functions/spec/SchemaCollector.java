package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;

/** Collects the OpenAPI schema of a mapping: runs its reader on an empty mapping and records each requested key. */
final class SchemaCollector extends MappingReader {
    private final ObjectNode schema = StructuralSchema.object();

    private SchemaCollector() {
        super(new LinkedHashMap<>(), "", new Findings());
    }

    static ObjectNode schema(Function<MappingReader, ?> reader) {
        SchemaCollector outline = new SchemaCollector();
        reader.apply(outline);
        return outline.schema;
    }

    /** Puts the default into the schema; the API server fills it in if the key is absent. */
    @Override
    <T> T get(String key, FieldType<T> type, T fallback) {
        property(key, type);
        StructuralSchema.setDefault(schema, key, fallback);
        return fallback;
    }

    @Override
    <T> Optional<T> find(String key, FieldType<T> type) {
        property(key, type);
        return Optional.empty();
    }

    @Override
    <T> T require(String key, FieldType<T> type, T standIn, String whatToWrite) {
        property(key, type);
        schema.withArray("required").add(key);
        return standIn;
    }

    private void property(String key, FieldType<?> type) {
        schema.withObjectProperty("properties").set(key, type.schema());
    }
}
