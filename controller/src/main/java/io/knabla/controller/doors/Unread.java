package io.knabla.controller.doors;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Ends a connection whose request was answered before all of it came, as after 413 or 401. Without this it is read for
 * as long as the client cares to send, whatever the answer said.
 */
final class Unread {
    /** A client that is still sending reads the answer meanwhile; cut off at once it would not. */
    private static final long GRACE_MILLIS = 2_000;

    private Unread() {}

    static void endAfterAnswer(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.headers().contains("Content-Length") || request.headers().contains("Transfer-Encoding")) {
            context.addEndHandler(answered -> discard(context, request));
        }
    }

    private static void discard(RoutingContext context, HttpServerRequest request) {
        if (request.isEnded()) {
            return;
        }
        request.handler(null);
        request.resume();
        context.vertx().setTimer(GRACE_MILLIS, over -> {
            if (!request.isEnded()) {
                request.connection().close();
            }
        });
    }
}
