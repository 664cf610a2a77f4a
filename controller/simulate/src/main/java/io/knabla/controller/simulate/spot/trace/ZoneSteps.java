package io.knabla.controller.simulate.spot.trace;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the capacities of zones in any order and makes a trace of them. */
final class ZoneSteps {
    private record Step(Instant at, int capacity, double lostShare) {}

    private final Map<String, List<Step>> zones = new LinkedHashMap<>();
    private Instant end = Instant.MIN;

    void add(Instant at, String zone, int capacity) {
        add(at, zone, capacity, 0);
    }

    void add(Instant at, String zone, int capacity, double lostShare) {
        zones.computeIfAbsent(zone, _ -> new ArrayList<>()).add(new Step(at, capacity, lostShare));
        lastsUntil(at);
    }

    void lastsUntil(Instant time) {
        end = time.isAfter(end) ? time : end;
    }

    /** Capacities of 0 and 1 only say whether there is capacity. */
    AvailabilityTrace trace(String name) {
        boolean counts = zones.values().stream().flatMap(List::stream).anyMatch(step -> step.capacity() > 1);
        Instant start = zones.values().stream()
                .flatMap(List::stream)
                .map(Step::at)
                .min(Comparator.naturalOrder())
                .orElse(end);
        List<String> names = List.copyOf(zones.keySet());
        List<Change> changes = new ArrayList<>();
        for (int zone = 0; zone < names.size(); zone++) {
            int before = -1;
            List<Step> steps = zones.get(names.get(zone));
            Collections.sort(steps, Comparator.comparing(Step::at));
            for (Step step : steps) {
                int capacity = counts || step.capacity() == 0 ? step.capacity() : AvailabilityTrace.UNLIMITED;
                if (capacity != before || step.lostShare() > 0) {
                    changes.add(new Change(Duration.between(start, step.at()), zone, capacity, step.lostShare()));
                }
                before = capacity;
            }
        }
        Duration length = zones.isEmpty() ? Duration.ZERO : Duration.between(start, end);
        return new AvailabilityTrace(name, names, start, length, changes);
    }
}
