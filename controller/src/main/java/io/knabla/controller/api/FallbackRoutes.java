package io.knabla.controller.api;

import io.knabla.controller.doors.Problems;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** The first page until there is a console, and the last word where nothing else answered. */
@ApplicationScoped
class FallbackRoutes {
    void add(@Observes Router router) {
        router.get("/")
                .handler(
                        context ->
                                context.json(
                                        new JsonObject()
                                                .put("name", "knabla")
                                                .put("api", "/api/v1")
                                                .put("openapi", "/q/openapi")));
        router.route()
                .last()
                .handler(
                        context ->
                                Problems.send(
                                        context,
                                        404,
                                        "there is nothing at this path; /q/openapi lists what there is"));
        router.errorHandler(
                500,
                context ->
                        Problems.send(
                                context,
                                500,
                                "the controller failed on this request; its log says more"));
    }
}
