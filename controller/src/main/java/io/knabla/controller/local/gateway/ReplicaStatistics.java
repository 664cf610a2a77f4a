package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.ConnectionLease;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.paths.ServerAction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Inference statistics of a version in the form of Triton's statistics extension: those of its running replicas, added
 * up. As with a model that Triton unloads, what a stopped replica counted is gone.
 */
final class ReplicaStatistics {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MOST_MILLIS = 2_000;

    private ReplicaStatistics() {}

    /** The entry of {@code model_stats}; a replica that does not answer is left out. */
    static ObjectNode of(VersionQueue queue) {
        ObjectNode sum = none(queue);
        for (Endpoint endpoint : queue.endpoints()) {
            try {
                add(sum, ask(endpoint, queue));
            } catch (IOException | HttpFault unanswered) {
                // It ends, or is too busy to say.
            }
        }
        return sum;
    }

    private static ObjectNode none(VersionQueue queue) {
        ObjectNode none = JsonNodeFactory.instance.objectNode();
        none.put("name", queue.servedName).put("version", queue.versionHeader).put("last_inference", 0);
        none.put("inference_count", 0).put("execution_count", 0);
        ObjectNode times = none.putObject("inference_stats");
        for (String time : new String[] {
            "success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss"
        }) {
            times.putObject(time).put("count", 0).put("ns", 0);
        }
        none.putObject("response_stats");
        none.putArray("batch_stats");
        none.putArray("memory_usage");
        return none;
    }

    private static JsonNode ask(Endpoint endpoint, VersionQueue queue) throws IOException {
        var lease = new ConnectionLease(endpoint.connections);
        try {
            ClientConnection connection = lease.take();
            byte[] request = "GET %s HTTP/1.1\r\nHost: %s\r\n%s: %s\r\n\r\n"
                    .formatted(
                            ServerAction.STATISTICS.path(), endpoint.authority, Headers.TOKEN, endpoint.replica.token())
                    .getBytes(StandardCharsets.ISO_8859_1);
            connection.begin(false);
            connection.limitReads(MOST_MILLIS);
            connection.send(request, request.length);
            ResponseHead head = connection.readHead();
            long length = ClientConnection.length(head);
            if (length < 0) {
                throw new IOException("an answer of unknown length");
            }
            byte[] body = connection.readAll((int) length);
            return JSON.readTree(body).path("model_stats").path(0);
        } finally {
            lease.give();
        }
    }

    /** Adds numbers; of the times of last inferences the latest counts. */
    static void add(ObjectNode sum, JsonNode more) {
        for (Map.Entry<String, JsonNode> field : more.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            switch (sum.get(name)) {
                case ObjectNode inner -> add(inner, value);
                case ArrayNode batches
                when name.equals("batch_stats") -> value.forEach(batch -> addBatch(batches, batch));
                case JsonNode number
                when number.isNumber() ->
                    sum.put(
                            name,
                            name.equals("last_inference")
                                    ? Math.max(number.asLong(), value.asLong())
                                    : number.asLong() + value.asLong());
                case null, default -> {}
            }
        }
    }

    private static void addBatch(ArrayNode batches, JsonNode more) {
        long size = more.path("batch_size").asLong();
        for (JsonNode batch : batches) {
            if (batch.path("batch_size").asLong() == size) {
                add((ObjectNode) batch, more);
                ((ObjectNode) batch).put("batch_size", size);
                return;
            }
        }
        batches.add(more);
    }
}
