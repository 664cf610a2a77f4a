package io.knabla.controller.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/**
 * Xid error of a GPU, read from the output of a replica.
 *
 * @param xid NVIDIA's number of the error
 * @param costsDevice whether nothing should be started on the GPU after it
 * @param meaning for people
 */
public record GpuError(int xid, boolean costsDevice, String meaning) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The last error by which the driver took the GPU from all processes; empty if the replica told of none.
     *
     * @param output of a replica: one event a line, between other lines
     */
    public static Optional<GpuError> lostDevice(String output) {
        return output.lines()
                .flatMap(line -> event(line).stream())
                .flatMap(event -> read(event).stream())
                .filter(GpuError::costsDevice)
                .reduce((_, last) -> last);
    }

    private static Optional<JsonNode> event(String line) {
        try {
            return Optional.ofNullable(JSON.readTree(line));
        } catch (JsonProcessingException noEvent) {
            return Optional.empty();
        }
    }

    /** Reads an event of a replica; empty if it tells of something else. */
    public static Optional<GpuError> read(JsonNode event) {
        JsonNode xid = event.path("xid");
        return event.path("event").asText().equals("gpu-xid") && xid.canConvertToInt()
                ? Optional.of(new GpuError(
                        xid.asInt(),
                        event.path("kind").asText().equals("Device"),
                        event.path("meaning").asText()))
                : Optional.empty();
    }
}
