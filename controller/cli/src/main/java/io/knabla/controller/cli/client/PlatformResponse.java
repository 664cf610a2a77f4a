package io.knabla.controller.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.knabla.controller.cli.print.Documents;
import java.util.Map;
import java.util.Optional;

/**
 * HTTP response of the platform or of a function.
 *
 * @param headers by lower-case name
 */
public record PlatformResponse(int status, Map<String, String> headers, String body) {
    public boolean isSuccess() {
        return status / 100 == 2;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase()));
    }

    /** The body as JSON; a missing node if it is not JSON. */
    public JsonNode json() {
        try {
            return Documents.JSON.readTree(body);
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }
}
