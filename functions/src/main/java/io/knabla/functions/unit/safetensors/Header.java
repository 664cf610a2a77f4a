package io.knabla.functions.unit.safetensors;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a file holds.
 *
 * @param slots in the order of their bytes, without holes
 * @param metadata texts of the writer's choice
 */
public record Header(List<Slot> slots, Map<String, String> metadata) {
    public Header {
        slots = List.copyOf(slots);
        metadata = Map.copyOf(metadata);
    }

    /** All bytes behind the header. */
    public long dataBytes() {
        return slots.isEmpty() ? 0 : slots.getLast().end();
    }

    public Optional<Slot> slot(String name) {
        return slots.stream().filter(slot -> slot.name().equals(name)).findFirst();
    }
}
