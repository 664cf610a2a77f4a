package io.knabla.functions.unit.safetensors;

import io.knabla.functions.unit.DataType;
import java.util.List;

/**
 * Name, type, shape and byte range of one tensor in a safetensors file.
 *
 * @param begin its first byte, counted from the end of the header
 * @param end one past its last byte
 */
public record TensorEntry(String name, DataType type, List<Long> shape, long begin, long end) {
    public TensorEntry {
        shape = List.copyOf(shape);
    }

    public long bytes() {
        return end - begin;
    }
}
