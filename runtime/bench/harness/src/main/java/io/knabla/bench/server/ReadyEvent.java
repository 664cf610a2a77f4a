package io.knabla.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Parses the {@code ready} event that a replica writes to standard output, with the durations of its start phases. */
public final class ReadyEvent {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReadyEvent() {}

    public static Map<String, Double> phases(String output) {
        Map<String, Double> phases = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            JsonNode event = read(line);
            if (event.path("event").asText().equals("ready")) {
                event.path("phases")
                        .properties()
                        .forEach(one -> phases.put(one.getKey(), one.getValue().doubleValue()));
            }
        }
        return phases;
    }

    private static JsonNode read(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException notJson) {
            throw new IllegalStateException("a replica's event is not JSON: " + line, notJson);
        }
    }
}
