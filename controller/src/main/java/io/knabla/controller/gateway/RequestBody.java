package io.knabla.controller.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * The body of a request as it comes in. A small one is kept whole and can be sent twice; of a larger one the rest stays
 * with the client until a replica takes it, and it can be sent once.
 */
final class RequestBody {
    /** Hears what to do; on the event loop of the request. */
    interface Listener {
        /** Enough is there to need a replica; told once. */
        void complete();

        void tooLarge();
    }

    private final HttpServerRequest request;
    private final GatewaySettings settings;
    private final Listener listener;

    private Buffer kept;
    private long received;
    private boolean told;
    private boolean ended;
    private boolean dropped;
    private HttpClientRequest out;

    RequestBody(HttpServerRequest request, GatewaySettings settings, Listener listener) {
        this.request = request;
        this.settings = settings;
        this.listener = listener;
    }

    void read() {
        if (Headers.length(request.headers()) > settings.mostBodyBytes()) {
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

    /** Whether the client has sent all of it. */
    boolean isEnded() {
        return ended;
    }

    /** Whether enough of it is here to send it on. */
    boolean isSendable() {
        return told;
    }

    /** Whether it can be sent once more. */
    boolean isKept() {
        return ended && out == null;
    }

    /** Nobody wants the rest. */
    void drop() {
        dropped = true;
    }

    /** Sends what is there and lets the rest flow no faster than the replica reads. */
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
        // A failure is heard where the answer is awaited.
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
        if (received > settings.mostBodyBytes()) {
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
        if (!told) {
            told = true;
            listener.complete();
        }
    }

    private void tooLarge() {
        dropped = true;
        listener.tooLarge();
    }
}
