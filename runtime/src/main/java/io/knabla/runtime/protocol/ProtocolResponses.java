package io.knabla.runtime.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the protocol's response bodies other than tensors: server metadata and readiness. */
public final class ProtocolResponses {
    private ProtocolResponses() {}

    public static byte[] server(String version, boolean sharedMemory) {
        return done(new JsonWriter(128)
                .raw("{\"name\":\"knabla\",\"version\":")
                .text(version)
                .raw(
                        ",\"extensions\":[\"binary_tensor_data\",\"model_repository\",\"model_configuration\",\"statistics\"")
                .raw(sharedMemory ? ",\"system_shared_memory\"]}" : "]}"));
    }

    /** Answers liveness and readiness; a replica that responds is live. */
    public static byte[] health(boolean ready, boolean live) {
        return ascii("{\"ready\":" + ready + ",\"live\":" + live + "}");
    }

    public static byte[] modelReady(String model, boolean ready) {
        return done(new JsonWriter(128).raw("{\"name\":").text(model).raw(",\"ready\":" + ready + "}"));
    }

    /** The list of models in KServe's V1 protocol. */
    public static byte[] models(String model) {
        return done(new JsonWriter(128).raw("{\"models\":[").text(model).raw("]}"));
    }

    public static byte[] repository(String model, String version, boolean ready) {
        return done(new JsonWriter(128)
                .raw("[{\"name\":")
                .text(model)
                .raw(",\"version\":")
                .text(version)
                .raw(",\"state\":\"" + (ready ? "READY" : "UNAVAILABLE") + "\",\"reason\":\"\"}]"));
    }

    private static byte[] ascii(String json) {
        return json.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] done(JsonWriter json) {
        return Arrays.copyOf(json.bytes(), json.size());
    }
}
