package io.knabla.controller.gateway;

import io.knabla.controller.gateway.Lane.Admission;
import io.knabla.controller.scale.Trouble;
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
final class Exchange implements Waiter, RequestBody.Listener {
    /** Responses up to this size are buffered and sent in one piece. */
    private static final long SMALL_ANSWER = 256 << 10;

    /**
     * Extra wait for the replica's own timeout response: it reports that the engine stopped, so it takes
     * precedence.
     */
    private static final long REPLICA_FIRST_MILLIS = 500;

    /** The cluster detects a dead replica within this time. */
    private static final long NOTICE_MILLIS = 200;

    private static final int MOST_SENDS = 2;
    private static final int MOST_REFUSED_CONNECTIONS = 5;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Forwarder forwarder;
    private final Lane lane;
    private final String uri;
    private final boolean idempotent;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context context;
    private final long arrivedNanos = System.nanoTime();

    private final RequestBody body;
    private long timer;
    private boolean extended;

    private Upstream upstream;
    private HttpClientRequest sent;
    private long dispatchedNanos;
    private Upstream failed;
    private int sends;
    private int refusedConnections;
    private boolean waitedForStart;
    private boolean done;

    Exchange(Forwarder resources, Lane queue, String uri, boolean idempotent, HttpServerRequest request) {
        this.forwarder = resources;
        this.lane = queue;
        this.uri = uri;
        this.idempotent = idempotent;
        this.request = request;
        response = request.response();
        body = new RequestBody(request, resources.settings(), this);
        context = resources.vertx().getOrCreateContext();
    }

    void start() {
        lane.load.arrived();
        timer = forwarder.vertx().setTimer(lane.timeoutMillis, this::timeIsOver);
        response.closeHandler(closed -> clientLeft());
        request.exceptionHandler(broken -> clientLeft());
        body.read();
    }

    @Override
    public void complete() {
        enter(null);
    }

    @Override
    public void tooLarge() {
        refuse(413, Refusals.tooLarge(forwarder.settings().mostBodyBytes()));
    }

    private void enter(Upstream avoid) {
        switch (lane.enter(this, avoid)) {
            case Admission.Granted(Upstream free) -> send(free);
            case Admission.Waiting() -> {}
            case Admission.Full(int waiting) -> {
                Answers.retryAfter(response, SOON);
                refuse(429, Refusals.full(waiting, lane.key));
            }
            case Admission.Hopeless(Trouble trouble) -> refuse(trouble);
        }
    }

    @Override
    public void granted(Upstream free, boolean forStart) {
        context.runOnContext(now -> {
            if (done) {
                lane.release(free, false);
                return;
            }
            if (forStart && !waitedForStart) {
                waitedForStart = true;
                lane.meters.waitedForStart();
            }
            send(free);
        });
    }

    @Override
    public void refused(Trouble trouble) {
        context.runOnContext(now -> {
            if (!done) {
                refuse(trouble);
            }
        });
    }

    private void send(Upstream to) {
        upstream = to;
        if (to == failed) {
            reconsider();
            return;
        }
        dispatchedNanos = System.nanoTime();
        forwarder
                .client()
                .request(request.method(), to.port, to.host, uri)
                .onComplete(connected -> connected(to, connected));
    }

    /**
     * Only the replica that just failed is free: waits until the cluster has removed it if it died, then tries
     * again.
     */
    private void reconsider() {
        failed = null;
        giveBack(false);
        forwarder.vertx().setTimer(NOTICE_MILLIS, noticed -> {
            if (!done) {
                enter(null);
            }
        });
    }

    private void connected(Upstream to, AsyncResult<HttpClientRequest> connected) {
        if (done) {
            // The slot was released when this exchange ended.
            if (connected.succeeded()) {
                connected.result().reset();
            }
            return;
        }
        if (connected.failed()) {
            // Nothing was sent, so this does not count as a send.
            giveBack(true);
            refusedConnections++;
            if (refusedConnections > MOST_REFUSED_CONNECTIONS) {
                refuse(503, Refusals.noConnection(lane.key));
            } else {
                enter(to);
            }
            return;
        }
        sends++;
        transmit(to, connected.result());
    }

    private void transmit(Upstream to, HttpClientRequest out) {
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
        if (from.statusCode() == 503 && mayRepeat()) {
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
        head(from);
        response.end(whole.result());
        finish(from.statusCode());
    }

    private void streamAnswer(HttpClientRequest out, HttpClientResponse from, long length) {
        head(from);
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

    private void head(HttpClientResponse from) {
        response.setStatusCode(from.statusCode());
        Headers.copy(from.headers(), response.headers());
        Map<String, Double> phases = waitedForStart ? upstream.replica.phases() : Map.of();
        double waited = (dispatchedNanos - arrivedNanos) / 1e6;
        String timing = ServerTiming.merge(waited, phases, from.getHeader(Headers.SERVER_TIMING));
        if (timing != null) {
            response.putHeader(Headers.SERVER_TIMING, timing);
        }
        ours();
        if (!body.isEnded()) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    private void ours() {
        response.putHeader(Headers.VERSION, lane.versionHeader);
        response.putHeader(Headers.START, waitedForStart ? "cold" : "warm");
    }

    private boolean mayRepeat() {
        return idempotent && body.isKept() && sends < MOST_SENDS;
    }

    /** @param cause null if the replica itself answered 503 */
    private void replicaFailed(Throwable cause) {
        failed = upstream;
        boolean repeat = mayRepeat();
        resetSent();
        giveBack(false);
        if (repeat) {
            lane.meters.retried();
            enter(failed);
            return;
        }
        refuse(503, Refusals.ended(failed, cause, sends, idempotent));
    }

    private void timeIsOver(long fired) {
        if (done) {
            return;
        }
        if (sends > 0 && upstream != null && !extended) {
            extended = true;
            timer = forwarder.vertx().setTimer(REPLICA_FIRST_MILLIS, this::timeIsOver);
            return;
        }
        refuse(504, Refusals.timeIsOver(lane.timeoutMillis, body.isSendable(), upstream));
    }

    private void refuse(Trouble trouble) {
        Answers.retryAfter(response, trouble.retryAfter());
        refuse(trouble.kind() == Trouble.Kind.Gone ? 404 : 503, trouble.message());
    }

    private void refuse(int status, String message) {
        done = true;
        if (response.headWritten()) {
            response.reset();
        } else {
            ours();
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
        forwarder.vertx().cancelTimer(timer);
        if (upstream == null) {
            lane.leave(this);
        }
        if (!answeredWell(status)) {
            resetSent();
        }
        giveBack(false);
        lane.load.left();
        lane.meters.finished(status, System.nanoTime() - arrivedNanos);
    }

    /** Whether the connection to the replica can be reused: the request was sent and the response read completely. */
    private boolean answeredWell(int status) {
        return body.isEnded() && response.ended() && status != 504;
    }

    private void resetSent() {
        HttpClientRequest out = sent;
        sent = null;
        if (out != null) {
            out.reset();
        }
    }

    private void giveBack(boolean refusedConnection) {
        Upstream from = upstream;
        upstream = null;
        if (from != null) {
            lane.release(from, refusedConnection);
        }
    }
}
