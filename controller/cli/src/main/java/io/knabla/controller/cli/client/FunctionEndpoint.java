package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Documents;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.util.HashMap;
import java.util.Map;

/**
 * Endpoint of one function's Open Inference Protocol API.
 *
 * @param platform client that sends the calls
 * @param address without a trailing slash
 * @param headers added to every call, such as the Host header for an ingress
 * @param model name of the model there: the function's, or the one that it is served under
 */
public record FunctionEndpoint(PlatformClient platform, String address, Map<String, String> headers, String model) {
    PlatformResponse call(String method, String path, BodyPublisher body, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(more);
        return platform.call(method, address + path, body, all);
    }

    /** Opens an answer that comes piece by piece. */
    InputStream stream(String path, JsonNode request) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Type", "application/json");
        return platform.openAnswer(address + path, Documents.json(request), all);
    }

    JsonNode expectSuccess(PlatformResponse answer, String what) {
        return platform.expectSuccess(answer, what);
    }
}
