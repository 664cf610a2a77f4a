package io.knabla.functions.unit.safetensors;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Header of a safetensors file: its tensors and metadata.
 *
 * @param entries in the order of their bytes, without gaps
 * @param metadata free-form strings of the writer
 */
public record Header(List<TensorEntry> entries, Map<String, String> metadata) {
    public Header {
        entries = List.copyOf(entries);
        metadata = Map.copyOf(metadata);
    }

    /** Number of bytes after the header. */
    public long dataBytes() {
        return entries.isEmpty() ? 0 : entries.getLast().end();
    }

    public Optional<TensorEntry> entry(String name) {
        return entries.stream().filter(slot -> slot.name().equals(name)).findFirst();
    }
}
