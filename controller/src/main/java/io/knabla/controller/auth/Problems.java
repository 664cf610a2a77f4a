package io.knabla.controller.auth;

import io.knabla.controller.docs.ErrorKind;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** Sends errors from outside the REST resources as {@code application/problem+json}, like all others. */
public final class Problems {
    public static final String TYPE = "application/problem+json";

    private Problems() {}

    public static void send(RoutingContext context, int status, String detail) {
        JsonObject problem = new JsonObject()
                .put("type", ErrorKind.of(status).type())
                .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .put("status", status)
                .put("detail", detail);
        String path = context.normalizedPath();
        if (path.startsWith("/v2") || path.startsWith("/functions/")) {
            // Clients of the inference protocol look for this key.
            problem.put("error", detail);
        }
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", TYPE)
                // The rest of the body is not read, so the connection cannot be reused.
                .putHeader("Connection", context.request().isEnded() ? "keep-alive" : "close")
                .end(problem.encode());
    }
}
