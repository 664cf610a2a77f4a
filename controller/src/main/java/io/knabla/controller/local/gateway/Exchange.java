package io.knabla.controller.local.gateway;

import io.knabla.controller.local.gateway.VersionQueue.Admission;
import io.knabla.controller.scale.Unavailable;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Map;

/**
 * Forwards one request to a replica and the response back to the client. Runs on the event loop of the request's
 * connection and ends exactly once, in {@link #finish}.
 */
final class Exchange implements QueuedRequest, RequestBody.Listener {
    /** Responses up to this size are buffered and sent in one piece. */
    private static final long SMALL_ANSWER = 256 << 10;

    /**
     * Extra wait for the replica's own timeout response: it reports that the engine stopped, so it takes precedence.
     */
    private static final long REPLICA_FIRST_MILLIS = 500;

    /** The cluster detects a dead replica within this time. */
    private static final long NOTICE_MILLIS = 200;

    private static final int MOST_SENDS = 2;
    private static final int MOST_REFUSED_CONNECTIONS = 5;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final ExchangeResources resources;
    private final VersionQueue queue;
    private final String uri;
    private final boolean idempotent;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context context;
    private final long arrivedNanos = System.nanoTime();

    private final RequestBody body;
    private long timer;
    private boolean extended;

    private Endpoint endpoint;
    private HttpClientRequest sent;
    private long dispatchedNanos;
    private Endpoint failed;
    private int sends;
    private int refusedConnections;
    private boolean waitedForStart;
    private boolean done;

    Exchange(
            ExchangeResources resources,
            VersionQueue queue,
            String uri,
            boolean idempotent,
            HttpServerRequest request) {
        this.resources = resources;
        this.queue = queue;
        this.uri = uri;
        this.idempotent = idempotent;
        this.request = request;
        response = request.response();
        body = new RequestBody(request, resources.settings(), this);
        context = resources.vertx().getOrCreateContext();
    }

    void start() {
        queue.load.requestStarted();
        timer = resources.vertx().setTimer(queue.timeoutMillis, this::onTimeout);
        response.closeHandler(closed -> clientLeft());
        request.exceptionHandler(broken -> clientLeft());
        body.read();
    }

    @Override
    public void complete() {
        requestEndpoint(null);
    }

    @Override
    public void tooLarge() {
        refuse(413, ErrorMessages.tooLarge(resources.settings().maxBodyBytes()));
    }

    private void requestEndpoint(Endpoint avoid) {
        switch (queue.admit(this, avoid)) {
            case Admission.Granted(Endpoint free) -> send(free);
            case Admission.Waiting() -> {}
            case Admission.Full(int waiting) -> {
                Answers.retryAfter(response, SOON);
                refuse(429, ErrorMessages.queueFull(waiting, queue.key));
            }
            case Admission.Rejected(Unavailable trouble) -> refuse(trouble);
        }
    }

    @Override
    public void granted(Endpoint free, boolean forStart) {
        context.runOnContext(now -> {
            if (done) {
                queue.release(free, false);
                return;
            }
            if (forStart && !waitedForStart) {
                waitedForStart = true;
                queue.meters.waitedForStart();
            }
            send(free);
        });
    }

    @Override
    public void refused(Unavailable trouble) {
        context.runOnContext(now -> {
            if (!done) {
                refuse(trouble);
            }
        });
    }

    private void send(Endpoint to) {
        endpoint = to;
        if (to == failed) {
            retryAfterNotice();
            return;
        }
        dispatchedNanos = System.nanoTime();
        resources
                .client()
                .request(request.method(), to.port, to.host, uri)
                .onComplete(connected -> connected(to, connected));
    }

    /**
     * Only the replica that just failed is free: waits until the cluster has removed it if it died, then tries again.
     */
    private void retryAfterNotice() {
        failed = null;
        releaseEndpoint(false);
        resources.vertx().setTimer(NOTICE_MILLIS, noticed -> {
            if (!done) {
                requestEndpoint(null);
            }
        });
    }

    private void connected(Endpoint to, AsyncResult<HttpClientRequest> connected) {
        if (done) {
            // The slot was released when this exchange ended.
            if (connected.succeeded()) {
                connected.result().reset();
            }
            return;
        }
        if (connected.failed()) {
            // Nothing was sent, so this does not count as a send.
            releaseEndpoint(true);
            refusedConnections++;
            if (refusedConnections > MOST_REFUSED_CONNECTIONS) {
                refuse(503, ErrorMessages.noConnection(queue.key));
            } else {
                requestEndpoint(to);
            }
            return;
        }
        sends++;
        transmit(to, connected.result());
    }

    private void transmit(Endpoint to, HttpClientRequest out) {
        sent = out;
        Headers.copy(request.headers(), out.headers());
        out.putHeader(Headers.TOKEN, to.replica.token());
        out.response().onComplete(answer -> answered(out, answer));
        body.sendTo(out);
    }

    private void answered(HttpClientRequest out, AsyncResult<HttpClientResponse> answer) {
        if (done || out != sent) {
            return;
        }
        if (answer.failed()) {
            replicaFailed(answer.cause());
            return;
        }
        HttpClientResponse from = answer.result();
        if (from.statusCode() == 503 && mayRetry()) {
            // It is shutting down and did not process the request.
            replicaFailed(null);
            return;
        }
        long length = Headers.length(from.headers());
        if (length >= 0 && length <= SMALL_ANSWER) {
            from.body().onComplete(whole -> wholeAnswer(out, from, whole));
        } else {
            streamAnswer(out, from, length);
        }
    }

    private void wholeAnswer(HttpClientRequest out, HttpClientResponse from, AsyncResult<Buffer> whole) {
        if (done || out != sent) {
            return;
        }
        if (whole.failed()) {
            replicaFailed(whole.cause());
            return;
        }
        copyHead(from);
        response.end(whole.result());
        finish(from.statusCode());
    }

    private void streamAnswer(HttpClientRequest out, HttpClientResponse from, long length) {
        copyHead(from);
        if (length >= 0) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(length));
        } else {
            response.setChunked(true);
        }
        // A partial response must not look complete.
        from.pipe().endOnFailure(false).to(response).onComplete(piped -> {
            if (done || out != sent) {
                return;
            }
            if (piped.failed()) {
                // The head is sent already: only a broken connection shows that the body is incomplete.
                response.reset();
            }
            finish(piped.succeeded() ? from.statusCode() : 503);
        });
    }

    private void copyHead(HttpClientResponse from) {
        response.setStatusCode(from.statusCode());
        Headers.copy(from.headers(), response.headers());
        Map<String, Double> phases = waitedForStart ? endpoint.replica.phases() : Map.of();
        double waited = (dispatchedNanos - arrivedNanos) / 1e6;
        String timing = ServerTiming.merge(waited, phases, from.getHeader(Headers.SERVER_TIMING));
        if (timing != null) {
            response.putHeader(Headers.SERVER_TIMING, timing);
        }
        addOwnHeaders();
        if (!body.isEnded()) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    private void addOwnHeaders() {
        response.putHeader(Headers.VERSION, queue.versionHeader);
        response.putHeader(Headers.START, waitedForStart ? "cold" : "warm");
    }

    private boolean mayRetry() {
        return idempotent && body.isKept() && sends < MOST_SENDS;
    }

    /** @param cause null if the replica itself answered 503 */
    private void replicaFailed(Throwable cause) {
        failed = endpoint;
        boolean repeat = mayRetry();
        resetSent();
        releaseEndpoint(false);
        if (repeat) {
            queue.meters.retried();
            requestEndpoint(failed);
            return;
        }
        refuse(503, ErrorMessages.replicaEnded(failed, cause, sends, idempotent));
    }

    private void onTimeout(long fired) {
        if (done) {
            return;
        }
        if (sends > 0 && endpoint != null && !extended) {
            extended = true;
            timer = resources.vertx().setTimer(REPLICA_FIRST_MILLIS, this::onTimeout);
            return;
        }
        refuse(504, ErrorMessages.timeout(queue.timeoutMillis, body.isSendable(), endpoint));
    }

    private void refuse(Unavailable trouble) {
        Answers.retryAfter(response, trouble.retryAfter());
        refuse(trouble.kind() == Unavailable.Kind.Gone ? 404 : 503, trouble.message());
    }

    private void refuse(int status, String message) {
        done = true;
        if (response.headWritten()) {
            response.reset();
        } else {
            addOwnHeaders();
            if (!body.isEnded()) {
                response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            Answers.error(response, status, message);
        }
        finish(status);
    }

    private void clientLeft() {
        if (!done) {
            finish(Answers.CLIENT_LEFT);
        }
    }

    private void finish(int status) {
        done = true;
        body.drop();
        resources.vertx().cancelTimer(timer);
        if (endpoint == null) {
            queue.leave(this);
        }
        if (!connectionReusable(status)) {
            resetSent();
        }
        releaseEndpoint(false);
        queue.load.requestEnded();
        queue.meters.finished(status, System.nanoTime() - arrivedNanos);
    }

    /** Whether the connection to the replica can be reused: the request was sent and the response read completely. */
    private boolean connectionReusable(int status) {
        return body.isEnded() && response.ended() && status != 504;
    }

    private void resetSent() {
        HttpClientRequest out = sent;
        sent = null;
        if (out != null) {
            out.reset();
        }
    }

    private void releaseEndpoint(boolean refusedConnection) {
        Endpoint from = endpoint;
        endpoint = null;
        if (from != null) {
            queue.release(from, refusedConnection);
        }
    }
}
