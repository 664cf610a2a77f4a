package io.knabla.functions.unit.safetensors;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Header of a safetensors file: its tensors and metadata.
 *
 * @param slots in the order of their bytes, without gaps
 * @param metadata free-form strings of the writer
 */
public record Header(List<Slot> slots, Map<String, String> metadata) {
    public Header {
        slots = List.copyOf(slots);
        metadata = Map.copyOf(metadata);
    }

    /** Number of bytes after the header. */
    public long dataBytes() {
        return slots.isEmpty() ? 0 : slots.getLast().end();
    }

    public Optional<Slot> slot(String name) {
        return slots.stream().filter(slot -> slot.name().equals(name)).findFirst();
    }
}
