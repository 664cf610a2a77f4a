package io.knabla.controller.simulate.spot.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes a trace of one zone from nodes that were added and taken back. At the time of a loss, each replica of the zone
 * is lost with the probability that one of the recorded nodes was.
 */
final class NodeEvents {
    static final String ZONE = "pool";

    private record Moment(List<String> added, List<String> removed) {}

    private final Map<Instant, Moment> moments = new LinkedHashMap<>();
    private final Set<String> nodes = new TreeSet<>();
    private Instant last = Instant.MIN;

    /** What is wrong with the event; empty if it was taken. */
    Optional<String> add(Instant at, String event, String node) {
        if (at.isBefore(last)) {
            return Optional.of("the time is before that of the line above; sort the file by time");
        }
        last = at;
        Moment moment = moments.computeIfAbsent(at, _ -> new Moment(new ArrayList<>(), new ArrayList<>()));
        return switch (event) {
            case "add" -> {
                moment.added().add(node);
                yield nodes.add(node) ? Optional.empty() : Optional.of("node %s was added before".formatted(node));
            }
            case "remove" -> {
                moment.removed().add(node);
                yield nodes.remove(node) ? Optional.empty() : Optional.of("node %s is not there".formatted(node));
            }
            default -> Optional.of("event is '%s', but must be add or remove".formatted(event));
        };
    }

    AvailabilityTrace trace(String name, Instant end) {
        var steps = new ZoneSteps();
        int count = 0;
        for (var entry : moments.entrySet()) {
            int removed = entry.getValue().removed().size();
            double lost = count == 0 ? 0 : Math.min(1, (double) removed / count);
            count += entry.getValue().added().size() - removed;
            steps.add(entry.getKey(), ZONE, count, lost);
        }
        steps.lastsUntil(end.isAfter(last) ? end : last);
        return steps.trace(name);
    }
}
