package io.knabla.runtime.serve;

import java.util.OptionalLong;

/**
 * How long the parts of this replica's start took, in milliseconds.
 *
 * @param place from when the pod came to its node to when this process began; empty where unknown
 * @param fetch until the unit lay in the cache
 * @param boot from the process's birth to {@code main}
 * @param load until the engine had the unit open
 */
public record StartPhases(OptionalLong place, long fetch, long boot, long load) {

    /** As metrics of {@code Server-Timing}, in the gateway's order. */
    String metrics() {
        // No formatter: the first caller, who waits, would pay for its classes.
        String before = place.isPresent() ? "place;dur=" + place.getAsLong() + ", " : "";
        return before + "fetch;dur=" + fetch + ", boot;dur=" + boot + ", load;dur=" + load;
    }
}
