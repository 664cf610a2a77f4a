package io.knabla.controller.front;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.docs.ErrorKind;
import io.knabla.runtime.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Builds error responses as {@code application/problem+json} (RFC 9457), like those of the control API. */
final class ProblemResponse {
    private static final String TYPE = "application/problem+json";

    private ProblemResponse() {}

    static HttpResponse of(int status, String detail) {
        ObjectNode problem = JsonNodeFactory.instance.objectNode();
        problem.put("type", ErrorKind.of(status).type());
        problem.put("status", status).put("detail", detail);
        // Clients of the inference protocol look for this key.
        problem.put("error", detail);
        byte[] body = problem.toString().getBytes(StandardCharsets.UTF_8);
        return new HttpResponse(status, TYPE, "", body, body.length);
    }
}
