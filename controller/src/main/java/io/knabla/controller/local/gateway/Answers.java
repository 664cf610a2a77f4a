package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.errors.ErrorKind;
import io.knabla.controller.scale.Unavailable;
import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Builds the gateway's own JSON responses and errors. */
final class Answers {
    /** Counted when the client disconnects before the response; never sent. */
    static final int CLIENT_LEFT = 499;

    private Answers() {}

    static HttpResponse json(int status, JsonNode body) {
        return HttpResponse.json(status, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    static HttpResponse error(int status, String message) {
        return error(ErrorKind.of(status), status, message);
    }

    /** @param kind explained on the page that {@code type} leads to, as in problem+json */
    static HttpResponse error(ErrorKind kind, int status, String message) {
        return InferenceError.of(status, message, kind.type());
    }

    /** A refusal of now: the same request may be answered later. */
    static HttpResponse again(String message, Duration after) {
        return error(503, message).withHeaders(retryAfter(after));
    }

    static HttpResponse wrongMethod(String allowed, String method) {
        return error(405, "use %s here, not %s".formatted(allowed, method)).withHeaders("Allow: " + allowed + "\r\n");
    }

    static HttpResponse unavailable(Unavailable trouble) {
        int status = trouble.kind() == Unavailable.Kind.Gone ? 404 : 503;
        return error(kind(trouble.kind()), status, trouble.message()).withHeaders(retryAfter(trouble.retryAfter()));
    }

    private static ErrorKind kind(Unavailable.Kind trouble) {
        return switch (trouble) {
            case CrashLoop, OOMKilled, DeviceLost -> ErrorKind.REPLICA_FAILS;
            case Unplaceable, PlacementFailed -> ErrorKind.NO_CAPACITY;
            case Gone -> ErrorKind.UNKNOWN_FUNCTION;
            case CatalogDamaged -> ErrorKind.FUNCTION_DAMAGED;
        };
    }

    /** Rounds up to whole seconds, at least one. */
    static String retryAfter(Duration after) {
        return "Retry-After: " + Math.max(1, Math.ceilDiv(after.toMillis(), 1000L)) + "\r\n";
    }
}
