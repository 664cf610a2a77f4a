package io.knabla.controller.auth;

import io.knabla.controller.config.Settings;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/**
 * Applies the request guard to every request of the control API before any other handler; those that do not come from
 * the front are refused.
 */
@ApplicationScoped
class RequestGuardFilter {
    private static final int FIRST = 10_000;

    void register(@Observes Filters filters, Settings settings, FrontKey key) {
        RequestGuard guard = new RequestGuard(settings.host(), settings.token(), CrossOrigin.of(settings));
        filters.register(context -> pass(guard, key, context), FIRST);
    }

    private static void pass(RequestGuard guard, FrontKey key, RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!key.accepts(request.getHeader(FrontKey.HEADER))) {
            Problems.send(context, 403, "this port is for the controller itself; call the address that it printed");
            return;
        }
        Optional<RequestGuard.Refusal> refusal = guard.check(new RequestGuard.Request(
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
        refusal.get().challenge().ifPresent(challenge -> context.response().putHeader("WWW-Authenticate", challenge));
        Problems.send(context, refusal.get().status(), refusal.get().sentence());
    }

    private static Optional<String> header(HttpServerRequest request, String name) {
        return Optional.ofNullable(request.getHeader(name));
    }
}
