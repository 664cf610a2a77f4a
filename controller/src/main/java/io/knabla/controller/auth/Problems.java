package io.knabla.controller.auth;

import io.knabla.controller.errors.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/** Sends errors from outside the REST resources as {@code application/problem+json}, like all others. */
public final class Problems {
    private Problems() {}

    public static void send(RoutingContext context, int status, String detail) {
        Problem problem = Problem.of(status, detail);
        String path = context.normalizedPath();
        boolean inference = path.startsWith("/v2") || path.startsWith("/functions/");
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", Problem.MEDIA_TYPE)
                // The rest of the body is not read, so the connection cannot be reused.
                .putHeader("Connection", context.request().isEnded() ? "keep-alive" : "close")
                .end(Buffer.buffer((inference ? problem.forInference() : problem).json()));
    }
}
