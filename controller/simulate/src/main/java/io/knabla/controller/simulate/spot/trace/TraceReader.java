package io.knabla.controller.simulate.spot.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Reads traces of spot capacity. The first line tells the format:
 *
 * <ul>
 *   <li>{@code time,zone,available}: the time in seconds or by RFC 3339; a count, or 0 and 1; a zone keeps its value
 *       until its next row.
 *   <li>{@code time_utc,ZONE,ZONE…}: one column of 0 and 1 for each zone.
 *   <li>{@code time_ms,event,node}: nodes that were added and taken back (Bamboo).
 *   <li>{@code seconds,instances_running}: a count (Bamboo).
 *   <li>{@code [time_ms, "add"|"remove"|"DONE", {"nodes": […]}]}: the same as JSON lines (SpotServe).
 * </ul>
 */
public final class TraceReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1_000 * MILLIS;

    private TraceReader() {}

    /**
     * @param name of the trace, used in errors as well
     * @throws TraceFaultsException with all faults of the text
     */
    public static AvailabilityTrace read(String name, String text) {
        String first = text.stripLeading().lines().findFirst().orElse("");
        if (first.startsWith("[")) {
            return jsonLines(name, text);
        }
        List<String> columns =
                Arrays.stream(first.split(",")).map(String::strip).toList();
        if (columns.containsAll(List.of("time", "zone", "available"))) {
            return plain(name, text);
        }
        if (columns.containsAll(List.of("time_ms", "event", "node"))) {
            return events(name, text);
        }
        if (columns.containsAll(List.of("seconds", "instances_running"))) {
            return counts(name, text);
        }
        if (columns.getFirst().equals("time_utc") && columns.size() > 1) {
            return grid(name, text, columns.subList(1, columns.size()));
        }
        throw new TraceFaultsException(
                name,
                List.of(
                        "line 1: the columns are '%s', but must be time,zone,available;".formatted(first)
                                + " or time_utc and one column for each zone; or time_ms,event,node; or seconds,instances_running"));
    }

    private static AvailabilityTrace plain(String name, String text) {
        var steps = new ZoneSteps();
        new TraceLines(name).read(text, row -> steps.add(row.time("time"), row.text("zone"), row.count("available")));
        return checked(name, steps);
    }

    private static AvailabilityTrace grid(String name, String text, List<String> zones) {
        var steps = new ZoneSteps();
        new TraceLines(name).read(text, row -> {
            Instant time = row.time("time_utc");
            zones.forEach(zone -> steps.add(time, zone, row.count(zone)));
        });
        return checked(name, steps);
    }

    private static AvailabilityTrace counts(String name, String text) {
        var steps = new ZoneSteps();
        new TraceLines(name)
                .read(
                        text,
                        row -> steps.add(
                                row.timeIn("seconds", SECONDS), NodeEvents.ZONE, row.count("instances_running")));
        return checked(name, steps);
    }

    private static AvailabilityTrace events(String name, String text) {
        var events = new NodeEvents();
        new TraceLines(name)
                .read(
                        text,
                        row -> events.add(row.timeIn("time_ms", MILLIS), row.text("event"), row.text("node"))
                                .ifPresent(row::refuse));
        return checked(name, events, Instant.MIN);
    }

    private static AvailabilityTrace jsonLines(String name, String text) {
        var events = new NodeEvents();
        var lines = new TraceLines(name);
        Instant end = Instant.MIN;
        long number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            JsonNode event = json(line);
            if (!event.path(0).canConvertToLong() || !event.path(1).isTextual()) {
                lines.fault(number, "must be [time_ms, \"add\" or \"remove\" or \"DONE\", {\"nodes\": [names]}]");
                continue;
            }
            Instant time = Instant.EPOCH.plusMillis(event.path(0).asLong());
            if (event.path(1).asText().equals("DONE")) {
                end = time;
                continue;
            }
            for (JsonNode node : event.path(2).path("nodes")) {
                long at = number;
                events.add(time, event.path(1).asText(), node.asText()).ifPresent(problem -> lines.fault(at, problem));
            }
        }
        lines.throwIfFaulty();
        return checked(name, events, end);
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException _) {
            return JSON.missingNode();
        }
    }

    private static AvailabilityTrace checked(String name, ZoneSteps steps) {
        try {
            return steps.trace(name);
        } catch (IllegalArgumentException empty) {
            throw new TraceFaultsException(name, List.of(empty.getMessage()));
        }
    }

    private static AvailabilityTrace checked(String name, NodeEvents events, Instant end) {
        try {
            return events.trace(name, end);
        } catch (IllegalArgumentException empty) {
            throw new TraceFaultsException(name, List.of(empty.getMessage()));
        }
    }
}
