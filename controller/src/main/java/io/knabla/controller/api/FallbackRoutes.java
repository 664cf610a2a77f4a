package io.knabla.controller.api;

import io.knabla.controller.auth.Problems;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Serves the index page, leads to the metrics, answers 404 for unknown paths, and handles errors outside the resources.
 */
@ApplicationScoped
class FallbackRoutes {
    private static final int FIRST = -100_000;
    private static final int MOVED = 301;

    void add(@Observes Router router) {
        router.get("/")
                .handler(context -> context.json(new JsonObject()
                        .put("name", "knabla")
                        .put("api", "/api/v1")
                        .put("openapi", "/q/openapi")));
        // Where scrapers look if nobody tells them otherwise.
        router.get("/metrics")
                .handler(context -> context.response()
                        .setStatusCode(MOVED)
                        .putHeader("Location", "/q/metrics")
                        .end());
        router.route()
                .last()
                .handler(context ->
                        Problems.send(context, 404, "there is nothing at this path; /q/openapi lists what there is"));
        // Faults that the server finds before it selects a route, such as a malformed Host header.
        router.route().order(FIRST).failureHandler(context -> {
            if (context.statusCode() == 400) {
                Problems.send(
                        context,
                        400,
                        "the request line or a header is malformed; send a path that starts with / and one Host header, host or host:port");
            } else {
                context.next();
            }
        });
        router.errorHandler(
                500,
                context -> Problems.send(context, 500, "the controller failed on this request; its log says more"));
    }
}
