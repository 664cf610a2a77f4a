package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** Writes the gateway's own JSON responses and errors, in the format of the Open Inference Protocol. */
final class Answers {
    /** Counted when the client disconnects before the response; never sent. */
    static final int CLIENT_LEFT = 499;

    private Answers() {}

    static void json(HttpServerResponse response, int status, Buffer body) {
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body);
    }

    static void error(HttpServerResponse response, int status, String message) {
        json(response, status, new JsonObject().put("error", message).toBuffer());
    }

    /** Rounds up to whole seconds, at least one. */
    static void retryAfter(HttpServerResponse response, Duration after) {
        long seconds = Math.max(1, Math.ceilDiv(after.toMillis(), 1000L));
        response.putHeader("Retry-After", Long.toString(seconds));
    }

    static void unavailable(HttpServerResponse response, Unavailable trouble) {
        retryAfter(response, trouble.retryAfter());
        error(response, 503, trouble.message());
    }
}
