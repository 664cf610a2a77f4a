package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublisher;
import java.util.HashMap;
import java.util.Map;

/**
 * Where one function speaks the Open Inference Protocol, and how it is reached.
 *
 * @param platform that sends
 * @param address without a slash at the end
 * @param headers of every call, such as the host where an ingress wants one
 */
public record FunctionRoot(Platform platform, String address, Map<String, String> headers) {
    Answer call(String method, String path, BodyPublisher body, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(more);
        return platform.call(method, address + path, body, all);
    }

    JsonNode expectGood(Answer answer, String what) {
        return platform.expectGood(answer, what);
    }
}
