package io.knabla.runtime.openai;

import io.knabla.runtime.http.HttpResponse;
import java.time.Duration;

/**
 * An error in OpenAI's form.
 *
 * @param type kind that clients choose their exception by, besides the status
 * @param param field of the request that is wrong; null for none
 * @param code finer kind; null for none
 * @param headers lines of the answer, each ended by CR LF
 */
record ApiError(int status, String message, String type, String param, String code, String headers) {
    private static final String INVALID = "invalid_request_error";

    static ApiError invalid(String param, String message) {
        return new ApiError(400, message, INVALID, param, null, "");
    }

    static ApiError tooLong(String message) {
        return new ApiError(400, message, INVALID, "messages", "context_length_exceeded", "");
    }

    static ApiError unknownModel(String asked, String served) {
        return new ApiError(
                404,
                "there is no model '%s' here; this function serves '%s'".formatted(asked, served),
                INVALID,
                "model",
                "model_not_found",
                "");
    }

    static ApiError busy(String message, Duration retryAfter) {
        return new ApiError(
                429,
                message,
                "rate_limit_error",
                null,
                "rate_limit_exceeded",
                "Retry-After: %d\r\n".formatted(retryAfter.toSeconds()));
    }

    /** The client may send it again. */
    static ApiError unavailable(String message) {
        return new ApiError(503, message, "server_error", null, null, "Retry-After: 1\r\n");
    }

    static ApiError failed(String message) {
        return new ApiError(500, message, "server_error", null, null, "");
    }

    byte[] json() {
        return ApiJson.write(out -> {
            out.writeObjectFieldStart("error");
            out.writeStringField("message", ApiJson.whole(message));
            out.writeStringField("type", type);
            out.writeStringField("param", param == null ? null : ApiJson.whole(param));
            out.writeStringField("code", code);
            out.writeEndObject();
        });
    }

    HttpResponse response() {
        return HttpResponse.json(status, json()).withHeaders(headers);
    }
}
