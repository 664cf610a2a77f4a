package io.knabla.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.bench.machine.Child;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One replica as the controller launches it.
 *
 * @param settings environment beyond what every replica needs, such as batching
 */
public record ReplicaServer(
        Distribution distribution, PackedModel packed, Map<String, String> settings)
        implements Server {
    private static final String MODEL = "bench";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "replica";
    }

    @Override
    public Child.Command command(int port) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put("KNABLA_UNIT", packed.unit().toString());
        environment.put("KNABLA_STORE", packed.store().toString());
        environment.put("KNABLA_CACHE", packed.cache().toString());
        environment.put("KNABLA_MODEL_NAME", MODEL);
        environment.put("KNABLA_MODEL_VERSION", "1");
        environment.put("PORT", Integer.toString(port));
        return new Child.Command(
                List.of(
                        distribution.java().toString(),
                        "-Djava.io.tmpdir={tmp}",
                        "@" + distribution.replicaArguments()),
                environment);
    }

    @Override
    public Call call(int port) {
        return Call.json(port, "/v2/models/" + MODEL + "/infer", packed.model());
    }

    public Call binary(int port) {
        return Call.binary(port, "/v2/models/" + MODEL + "/infer", packed.model());
    }

    /** From its {@code ready} event. */
    @Override
    public Map<String, Double> phases(String output) {
        Map<String, Double> phases = new LinkedHashMap<>();
        output.lines()
                .filter(line -> line.contains("\"ready\""))
                .map(ReplicaServer::read)
                .forEach(
                        event ->
                                event.path("phases")
                                        .properties()
                                        .forEach(
                                                phase ->
                                                        phases.put(
                                                                phase.getKey(),
                                                                phase.getValue().doubleValue())));
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
