package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;

/** How one kind of value is read, and how an API server is told the same. */
interface Type<T> {
    /** The value; or empty, and then the findings say what was found and what is allowed. */
    Optional<T> read(Tree value, String path, Findings findings);

    /** A structural OpenAPI v3 schema, new on each call, without description and default. */
    ObjectNode schema();

    /** The reading half alone. */
    @FunctionalInterface
    interface Reader<T> {
        Optional<T> read(Tree value, String path, Findings findings);
    }

    static <T> Type<T> of(Supplier<ObjectNode> schema, Reader<T> reader) {
        return new Type<>() {
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
