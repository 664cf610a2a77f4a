package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.runtime.errors.OpenAiError;
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
        return sentence(answer)
                .map(sentence -> refusal(answer.status(), sentence).withHeaders(answer.headers()))
                .orElse(answer);
    }

    /** Empty if it has another form already: that of a replica. */
    private static Optional<String> sentence(HttpResponse answer) {
        try {
            JsonNode error = MAPPER.readTree(answer.body(), 0, answer.length()).path("error");
            return Optional.ofNullable(error.textValue());
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    static HttpResponse refusal(int status, String message) {
        Optional<String> code = status == 404 ? Optional.of("model_not_found") : Optional.empty();
        return new OpenAiError(status, message, Optional.empty(), code).response();
    }
}
