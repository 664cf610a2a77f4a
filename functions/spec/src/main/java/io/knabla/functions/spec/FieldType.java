package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;

/** Type of a field in function.yaml: reads and checks its value, and describes it as OpenAPI schema. */
interface FieldType<T> {
    /** Reads the value; returns empty if it is invalid, after adding a fault to the findings. */
    Optional<T> read(Tree value, String path, Findings findings);

    /** A structural OpenAPI v3 schema, new on each call, without description and default. */
    ObjectNode schema();

    /** Reads and checks a value. */
    @FunctionalInterface
    interface Reader<T> {
        Optional<T> read(Tree value, String path, Findings findings);
    }

    static <T> FieldType<T> of(Supplier<ObjectNode> schema, Reader<T> reader) {
        return new FieldType<>() {
            @Override
            public Optional<T> read(Tree value, String path, Findings findings) {
                return reader.read(value, path, findings);
            }

            @Override
            public ObjectNode schema() {
                return schema.get();
            }
        };
    }
}
