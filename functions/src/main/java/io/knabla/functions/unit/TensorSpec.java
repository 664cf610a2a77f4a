package io.knabla.functions.unit;

import java.util.List;

/**
 * A named input or output.
 *
 * @param shape one entry a dimension, -1 where any size goes
 * @param symbols as long as {@code shape}; the model's name of a variable dimension, or "" — equal names must have
 *     equal sizes in one request
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
