package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.TextPaths;
import java.io.IOException;
import java.util.Optional;

/** What the platform must know of OpenAI's API: which function a request's {@code model} names, and its errors. */
final class TextRequests {
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonMapper MAPPER = new JsonMapper();

    private TextRequests() {}

    /**
     * The function that field {@code model} of the body names: NAME in the default namespace, or NAMESPACE/NAME; empty
     * if there is none.
     */
    static Optional<FunctionId> function(HttpRequest request) {
        return model(request).map(model -> {
            int slash = model.indexOf('/');
            return slash < 0
                    ? new FunctionId(RequestTarget.DEFAULT_NAMESPACE, model)
                    : new FunctionId(model.substring(0, slash), model.substring(slash + 1));
        });
    }

    /** Whether the answer to a request is to be a stream of events. */
    static boolean asksForStream(HttpRequest request) {
        return TextPaths.mayStream(request.path())
                && field(request, "stream", JsonToken.VALUE_TRUE).isPresent();
    }

    private static Optional<String> model(HttpRequest request) {
        return field(request, "model", JsonToken.VALUE_STRING);
    }

    /** The text of the body's first field of this name and kind. */
    private static Optional<String> field(HttpRequest request, String name, JsonToken kind) {
        try (JsonParser in = JSON.createParser(request.body(), 0, request.bodyLength())) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = in.currentName().equals(name);
                if (in.nextToken() == kind && found) {
                    return Optional.of(in.getText());
                }
                in.skipChildren();
            }
            return Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    /** Gives an error of the platform the form of OpenAI's API, whose clients read no other. */
    static HttpResponse inItsForm(HttpResponse answer) {
        if (answer.status() < 400) {
            return answer;
        }
        return error(answer)
                .map(error -> Answers.json(answer.status(), error).withHeaders(answer.headers()))
                .orElse(answer);
    }

    /** Empty if it has another form already: that of a replica. */
    private static Optional<JsonNode> error(HttpResponse answer) {
        try {
            JsonNode message =
                    MAPPER.readTree(answer.body(), 0, answer.length()).path("error");
            return message.isTextual() ? Optional.of(error(answer.status(), message.textValue())) : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    static HttpResponse refusal(int status, String message) {
        return Answers.json(status, error(status, message));
    }

    private static ObjectNode error(int status, String message) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error")
                .put("message", message)
                .put("type", type(status))
                .putNull("param")
                .put("code", status == 404 ? "model_not_found" : null);
        return body;
    }

    private static String type(int status) {
        if (status == 429) {
            return "rate_limit_error";
        }
        return status < 500 ? "invalid_request_error" : "server_error";
    }
}
