package io.knabla.runtime.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Durations of the phases of this replica's cold start, in milliseconds.
 *
 * @param place from the pod's arrival on its node to the start of this process; empty if unknown
 * @param fetch to fetch the unit into the cache
 * @param boot from process start to {@code main}
 * @param load to open the unit in the engine
 */
public record StartPhases(OptionalLong place, long fetch, long boot, long load) {

    /** Formats the phases as {@code Server-Timing} metrics, in the gateway's order. */
    String toServerTiming() {
        // No formatter: loading its classes would delay the first caller.
        String before = place.isPresent() ? "place;dur=" + place.getAsLong() + ", " : "";
        return before + "fetch;dur=" + fetch + ", boot;dur=" + boot + ", load;dur=" + load;
    }

    /** Milliseconds by name, without those that are unknown. */
    Map<String, Long> toMap() {
        Map<String, Long> phases = new LinkedHashMap<>();
        place.ifPresent(millis -> phases.put("place", millis));
        phases.put("fetch", fetch);
        phases.put("boot", boot);
        phases.put("load", load);
        return phases;
    }
}
