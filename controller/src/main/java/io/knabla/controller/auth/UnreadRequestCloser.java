package io.knabla.controller.auth;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Closes a connection whose request was answered before its body had arrived, as after 413 or 401. Otherwise the server
 * would keep reading for as long as the client sends.
 */
final class UnreadRequestCloser {
    /** Leaves a client that is still sending the time to read the answer. */
    private static final long GRACE_MILLIS = 2_000;

    private UnreadRequestCloser() {}

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
