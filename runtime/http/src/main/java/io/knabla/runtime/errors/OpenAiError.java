package io.knabla.runtime.errors;

import io.knabla.runtime.http.HttpResponse;
import java.util.Optional;

/**
 * Error of OpenAI's API: {@code {"error": {"message", "type", "param", "code"}}}.
 *
 * @param status decides the error's type
 * @param param field of the request that is refused
 * @param code for machines, such as {@code model_not_found}
 */
public record OpenAiError(int status, String message, Optional<String> param, Optional<String> code) {
    public byte[] json() {
        JsonText json = new JsonText("{\"error\":{\"message\":").quote(message);
        json.raw(",\"type\":").quote(type());
        nullable(json.raw(",\"param\":"), param);
        nullable(json.raw(",\"code\":"), code);
        return json.raw("}}").bytes();
    }

    private static void nullable(JsonText json, Optional<String> text) {
        text.ifPresentOrElse(json::quote, () -> json.raw("null"));
    }

    private String type() {
        if (status == 429) {
            return "rate_limit_error";
        }
        return status < 500 ? "invalid_request_error" : "server_error";
    }

    public HttpResponse response() {
        return HttpResponse.json(status, json());
    }
}
