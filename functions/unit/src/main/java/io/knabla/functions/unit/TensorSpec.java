package io.knabla.functions.unit;

import java.util.List;

/**
 * Name, element type and shape of an input or output.
 *
 * @param shape one entry per dimension, -1 for a variable size
 * @param symbols one per dimension: the model's name of a variable size, or ""; equal names must have equal sizes in
 *     one request
 */
public record TensorSpec(String name, DataType datatype, List<Long> shape, List<String> symbols) {
    public TensorSpec {
        shape = List.copyOf(shape);
        symbols = List.copyOf(symbols);
        if (shape.size() != symbols.size()) {
            throw new IllegalArgumentException(
                    "tensor '%s' has %d dimensions but %d symbols".formatted(name, shape.size(), symbols.size()));
        }
    }
}
