package io.knabla.controller.local.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Body of a request as it arrives. A small one is buffered and can be sent twice; a larger one is streamed once, and
 * the client waits until a replica takes it.
 */
final class RequestBody {
    /** Receives the body's events, on the event loop of the request. */
    interface Listener {
        /** Enough has arrived to need a replica; called once. */
        void complete();

        void tooLarge();
    }

    private final HttpServerRequest request;
    private final GatewaySettings settings;
    private final Listener listener;

    private Buffer kept;
    private long received;
    private boolean announced;
    private boolean ended;
    private boolean dropped;
    private HttpClientRequest out;

    RequestBody(HttpServerRequest request, GatewaySettings settings, Listener listener) {
        this.request = request;
        this.settings = settings;
        this.listener = listener;
    }

    void read() {
        if (Headers.length(request.headers()) > settings.maxBodyBytes()) {
            tooLarge();
            return;
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        request.handler(this::received);
        request.endHandler(end -> ended());
        request.resume();
    }

    /** Whether the client has sent the whole body. */
    boolean isEnded() {
        return ended;
    }

    /** Whether enough has arrived to forward it. */
    boolean isSendable() {
        return announced;
    }

    /** Whether it can be sent again. */
    boolean isKept() {
        return ended && out == null;
    }

    /** Discards the rest of the body. */
    void drop() {
        dropped = true;
    }

    /** Sends what has arrived and streams the rest no faster than the replica reads. */
    void sendTo(HttpClientRequest to) {
        if (ended) {
            if (kept == null) {
                to.send();
            } else {
                to.send(kept);
            }
            return;
        }
        long length = Headers.length(request.headers());
        if (length >= 0) {
            to.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(length));
        } else {
            to.setChunked(true);
        }
        out = to;
        // The handler of the response reports a failure.
        to.exceptionHandler(broken -> {});
        to.drainHandler(drained -> request.resume());
        to.write(kept);
        kept = null;
        request.resume();
    }

    private void received(Buffer chunk) {
        if (dropped) {
            return;
        }
        received += chunk.length();
        if (received > settings.maxBodyBytes()) {
            tooLarge();
        } else if (out != null) {
            out.write(chunk);
            if (out.writeQueueFull()) {
                request.pause();
            }
        } else {
            kept = kept == null ? chunk : kept.appendBuffer(chunk);
            if (kept.length() > settings.replayBytes()) {
                request.pause();
                complete();
            }
        }
    }

    private void ended() {
        ended = true;
        if (dropped) {
            return;
        }
        if (out != null) {
            out.end();
        } else {
            complete();
        }
    }

    private void complete() {
        if (!announced) {
            announced = true;
            listener.complete();
        }
    }

    private void tooLarge() {
        dropped = true;
        listener.tooLarge();
    }
}
