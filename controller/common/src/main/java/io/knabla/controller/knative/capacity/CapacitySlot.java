package io.knabla.controller.knative.capacity;

import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One kind of capacity: a pool and a capacity type. A function has one Configuration for each slot that it uses.
 *
 * @param pool cpu or gpu, never auto
 */
public record CapacitySlot(Pool pool, CapacityType capacity) {
    public CapacitySlot {
        if (pool == Pool.auto) {
            throw new IllegalArgumentException("a slot is of pool cpu or gpu, was auto");
        }
    }

    public static Stream<CapacitySlot> all() {
        return Stream.of(Pool.cpu, Pool.gpu)
                .flatMap(pool -> Stream.of(CapacityType.values()).map(type -> new CapacitySlot(pool, type)));
    }

    /** Parses a slot from an object's labels, as {@link #labels} writes them. */
    public static Optional<CapacitySlot> of(Map<String, String> labels) {
        return all().filter(slot -> labels.entrySet().containsAll(slot.labels().entrySet()))
                .findFirst();
    }

    public Map<String, String> labels() {
        return Map.of(Labels.POOL, pool.name(), Labels.CAPACITY, capacityText());
    }

    public boolean isSpot() {
        return capacity == CapacityType.Spot;
    }

    private String capacityText() {
        return switch (capacity) {
            case OnDemand -> "on-demand";
            case Spot -> "spot";
        };
    }

    /** Such as {@code gpu-spot}. */
    @Override
    public String toString() {
        return pool + "-" + capacityText();
    }
}
