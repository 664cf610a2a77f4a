package io.knabla.controller.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.platform.GpuError;
import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.functions.unit.usage.ReplicaTotalsJson;
import java.util.HashMap;
import java.util.Map;

/** Event that a replica writes as one line to its standard output. */
sealed interface ReplicaEvent {
    record Listening(int port) implements ReplicaEvent {}

    record Ready(Map<String, Double> phases) implements ReplicaEvent {}

    /** What concerns others than the replica's process. */
    sealed interface Report extends ReplicaEvent {}

    record Usage(ReplicaTotals totals) implements Report {}

    record GpuFailed(GpuError error) implements Report {}

    /** @param percent of the replica's capacity; above 100 something waits in it */
    record Utilization(int percent) implements Report {}

    record Failed(String error) implements ReplicaEvent {}

    /** Not an event: for example printed by a library. */
    record Unknown(String line) implements ReplicaEvent {}

    /** A replica is not trusted. */
    int MOST_PERCENT = 10_000;

    ObjectMapper JSON = new ObjectMapper();

    static ReplicaEvent parse(String line) {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException notJson) {
            return new Unknown(line);
        }
        String event = node == null ? "" : node.path("event").asText();
        // External input, so not a closed set to switch over.
        if (event.equals("listening") && node.path("port").canConvertToInt()) {
            return new Listening(node.path("port").asInt());
        }
        if (event.equals("ready")) {
            Map<String, Double> phases = new HashMap<>();
            node.path("phases")
                    .properties()
                    .forEach(p -> phases.put(p.getKey(), p.getValue().asDouble()));
            return new Ready(Map.copyOf(phases));
        }
        if (event.equals("usage")) {
            return ReplicaTotalsJson.read(line).<ReplicaEvent>map(Usage::new).orElseGet(() -> new Unknown(line));
        }
        if (event.equals("utilization") && node.path("percent").canConvertToInt()) {
            return new Utilization(Math.clamp(node.path("percent").asInt(), 0, MOST_PERCENT));
        }
        if (event.equals("gpu-xid")) {
            return GpuError.read(node).<ReplicaEvent>map(GpuFailed::new).orElseGet(() -> new Unknown(line));
        }
        if (event.equals("failed")) {
            return new Failed(node.path("error").asText("it gave no reason"));
        }
        return new Unknown(line);
    }
}
