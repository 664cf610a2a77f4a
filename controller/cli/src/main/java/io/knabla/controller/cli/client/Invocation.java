package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.tensors.InferenceRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Result and timing of one function call.
 *
 * @param start cold, pooled, warm, or "" if the platform did not report it
 * @param phases milliseconds by name, from {@code Server-Timing}
 */
public record Invocation(
        JsonNode answer, String start, String version, Map<String, Double> phases, double milliseconds) {

    public static Invocation infer(FunctionEndpoint root, String name, byte[] input) {
        String model = "/v2/models/" + root.model();
        var request = InferenceRequest.of(input, () -> metadata(root, model));
        long began = System.nanoTime();
        PlatformResponse answer =
                root.call("POST", model + "/infer", BodyPublishers.ofByteArray(request.body()), request.headers());
        double milliseconds = (System.nanoTime() - began) / 1e6;
        JsonNode body = root.expectSuccess(answer, "calling " + name);
        return new Invocation(
                body,
                answer.header("Knabla-Start").orElse(""),
                answer.header("Knabla-Version").orElse(""),
                phases(answer.header("Server-Timing").orElse("")),
                milliseconds);
    }

    private static JsonNode metadata(FunctionEndpoint root, String model) {
        PlatformResponse answer = root.call("GET", model, BodyPublishers.noBody(), Map.of());
        return root.expectSuccess(answer, "GET " + root.address() + model);
    }

    /** Parses {@code queue;dur=1.5, infer;dur=0.2}; skips what it cannot parse. */
    static Map<String, Double> phases(String header) {
        var phases = new LinkedHashMap<String, Double>();
        for (String metric : header.split(",")) {
            String[] parts = metric.strip().split(";");
            for (String part : parts) {
                if (part.strip().startsWith("dur=")) {
                    try {
                        phases.put(parts[0].strip(), Double.valueOf(part.strip().substring(4)));
                    } catch (NumberFormatException odd) {
                        phases.remove(parts[0].strip());
                    }
                }
            }
        }
        return phases;
    }
}
