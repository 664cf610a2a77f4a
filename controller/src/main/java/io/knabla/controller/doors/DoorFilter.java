package io.knabla.controller.doors;

import io.knabla.controller.Settings;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** Applies the request guard to every HTTP request before any other handler, the gateway included. */
@ApplicationScoped
class DoorFilter {
    private static final int FIRST = 10_000;

    void stand(@Observes Filters filters, Settings settings) {
        Doors doors = new Doors(settings.host(), settings.token());
        filters.register(context -> pass(doors, context), FIRST);
    }

    private static void pass(Doors doors, RoutingContext context) {
        HttpServerRequest request = context.request();
        Unread.endAfterAnswer(context);
        Optional<Doors.Refusal> refusal = doors.check(new Doors.Request(
                request.method().name(),
                request.path(),
                request.headers().getAll("Host"),
                header(request, "Origin"),
                header(request, "Sec-Fetch-Site"),
                header(request, "Sec-Fetch-Mode"),
                header(request, "Authorization")));
        if (refusal.isEmpty()) {
            context.next();
            return;
        }
        int status = refusal.get().status();
        if (status == 401) {
            context.response().putHeader("WWW-Authenticate", "Bearer realm=\"knabla\"");
        }
        Problems.send(context, status, refusal.get().sentence());
    }

    private static Optional<String> header(HttpServerRequest request, String name) {
        return Optional.ofNullable(request.getHeader(name));
    }
}
