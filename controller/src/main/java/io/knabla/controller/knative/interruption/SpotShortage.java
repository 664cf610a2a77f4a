package io.knabla.controller.knative.interruption;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.SpotRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Remembers which functions found no spot capacity, so that they return to it once and do not flap. */
final class SpotShortage {
    /** Knative and its ingress follow a changed Route sooner. */
    private static final Duration ROUTED = Duration.ofSeconds(10);

    /** A function that starts no replica in this time is idle, deleted or broken. */
    private static final Duration LONGEST_TRY = Duration.ofMinutes(10);

    private final Duration block;
    private final Map<FunctionId, Shortage> functions = new HashMap<>();

    private record Shortage(SpotRoom room, Instant since, Instant until) {
        Shortage with(SpotRoom now) {
            return new Shortage(now, since, until);
        }
    }

    /** @param block shortest time for which a function stays off spot capacity */
    SpotShortage(Duration block) {
        this.block = block;
    }

    /**
     * @param withoutSpot functions that find no spot capacity now
     * @param onSpot functions with a replica that serves on spot capacity
     * @param openSpot whether any spot node takes replicas; without one nobody returns
     */
    void round(Collection<FunctionId> withoutSpot, Set<FunctionId> onSpot, boolean openSpot, Instant now) {
        functions.replaceAll(
                (_, shortage) -> openSpot && !now.isBefore(shortage.until) ? shortage.with(SpotRoom.TRIED) : shortage);
        functions.entrySet().removeIf(entry -> switch (entry.getValue().room) {
            case YES, NO -> false;
            case TRIED ->
                onSpot.contains(entry.getKey())
                        || !now.isBefore(entry.getValue().until.plus(LONGEST_TRY));
        });
        withoutSpot.forEach(function -> functions.merge(
                function,
                new Shortage(SpotRoom.NO, now, now.plus(block)),
                (old, latest) -> new Shortage(SpotRoom.NO, old.since, latest.until)));
    }

    /** Functions that do not use spot capacity as usual. */
    Map<FunctionId, SpotRoom> rooms() {
        return functions.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().room));
    }

    /** Functions whose requests no longer go to spot capacity. */
    Set<FunctionId> routedAway(Instant now) {
        return functions.entrySet().stream()
                .filter(entry -> !now.isBefore(entry.getValue().since.plus(ROUTED)))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    void clear() {
        functions.clear();
    }
}
