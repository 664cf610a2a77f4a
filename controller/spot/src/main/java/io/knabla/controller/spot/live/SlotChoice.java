package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.Offering;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Chooses where a replica that a plan launches runs: in a free slot of a node as planned, else in the next best. */
public final class SlotChoice {
    private SlotChoice() {}

    /** A node, or a whole zone, on which replicas can run. */
    public interface Slot {
        String name();

        Offering offering();

        /** Replicas of the version that run there. */
        int own();

        /** Replicas that may still be started there. */
        int room();

        /** Whether it is used only where nothing else has room. */
        boolean isLastResort();
    }

    /** How far a slot is what was planned. */
    public enum Match {
        PLANNED,
        OTHER_ZONE,
        OTHER_CAPACITY,
        LAST_RESORT
    }

    /** A slot, and how far it is what was planned. */
    public record Chosen<S extends Slot>(S slot, Match match) {}

    /** The slot as planned, else in another zone, else of the other capacity, else the last resort. */
    public static <S extends Slot> Optional<Chosen<S>> choose(Offering planned, List<S> slots) {
        return asPlanned(planned, slots)
                .map(slot -> new Chosen<>(slot, Match.PLANNED))
                .or(() -> best(slots, slot -> !slot.isLastResort() && isOfType(slot, planned))
                        .map(slot -> new Chosen<>(slot, Match.OTHER_ZONE)))
                .or(() ->
                        best(slots, slot -> !slot.isLastResort()).map(slot -> new Chosen<>(slot, Match.OTHER_CAPACITY)))
                .or(() -> best(slots, _ -> true).map(slot -> new Chosen<>(slot, Match.LAST_RESORT)));
    }

    /** The slot exactly as planned; the zone of capacity on demand is free, and it is no last resort. */
    public static <S extends Slot> Optional<S> asPlanned(Offering planned, List<S> slots) {
        return best(
                slots,
                slot -> planned.isSpot()
                        ? slot.offering().equals(planned)
                        : !slot.offering().isSpot() && !slot.isLastResort());
    }

    /** Spreads over zones, then over slots, then to the slot with most room; names break ties. */
    public static <S extends Slot> Optional<S> best(List<S> slots, Predicate<S> allowed) {
        return slots.stream()
                .filter(allowed)
                .filter(slot -> slot.room() > 0)
                .min(Comparator.<S>comparingInt(slot -> inZone(slot.offering().zone(), slots))
                        .thenComparingInt(Slot::own)
                        .thenComparing(Slot::room, Comparator.reverseOrder())
                        .thenComparing(Slot::name));
    }

    /** Replicas of the version in a zone. */
    public static int inZone(String zone, List<? extends Slot> slots) {
        return slots.stream()
                .filter(slot -> slot.offering().zone().equals(zone))
                .mapToInt(Slot::own)
                .sum();
    }

    private static boolean isOfType(Slot slot, Offering planned) {
        return slot.offering().isSpot() == planned.isSpot();
    }
}
