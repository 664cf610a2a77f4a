package io.knabla.runtime.http;

import io.knabla.runtime.http.ConnectionProgress.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/** Serves one request of an HTTP/2 connection, on a thread of its own. */
final class Http2Stream implements Runnable, ExchangeCarrier {
    private static final long NEVER = Long.MAX_VALUE;

    /** A body may come at 16 KiB a second after its first half minute. */
    private static final long NANOS_PER_BYTE = 1_000_000_000L >> 14;

    final int id;
    private final Http2Connection connection;
    private final HttpRequest request;
    private final boolean tooLarge;
    private final Http2Windows.Window window;
    private final Http2Body received;
    private final BodyBuffer body;

    private final Http2Credit credit = new Http2Credit("a body exceeds its window");
    private Runnable whenGone;
    private boolean gone;
    private volatile boolean answered;
    private volatile boolean cancelled;

    /** As its head says; null if that is malformed. */
    private final BodyFraming framing;

    private HttpFault malformed;

    /** Bytes of the body that its head declares; -1 if it declares none. */
    private final long declared;

    private long arrived;
    private volatile long deadline = NEVER;
    private volatile ConnectionProgress progress;

    /** For how long the request's body was waited for. */
    private long waitedNanos;

    /** @param tooLarge whether the head has more than a request may have */
    Http2Stream(Http2Connection connection, int id, HttpRequest request, boolean tooLarge) {
        this.connection = connection;
        this.id = id;
        this.request = request;
        this.tooLarge = tooLarge;
        window = connection.windows().open();
        received = new Http2Body(connection.unread(), this::consumed);
        body = new BodyBuffer(connection.server(), connection.client());
        framing = framing(request);
        declared = framing instanceof BodyFraming.Sized(long length)
                        && (length > 0 || request.header("Content-Length") != null)
                ? length
                : -1;
        progress = new ConnectionProgress(Phase.HANDLING, connection.server().now(), 0);
    }

    /** A malformed head is refused with a sentence, once the request is served. */
    private BodyFraming framing(HttpRequest head) {
        try {
            return BodyFraming.of(head);
        } catch (HttpFault wrong) {
            malformed = wrong;
            return null;
        }
    }

    Http2Windows.Window window() {
        return window;
    }

    /**
     * Receives the first {@code length} bytes. Called by the connection's thread.
     *
     * @param piece belongs to this stream if it has {@link Http2Body#MERGED} bytes or more
     * @param last whether they end the body
     * @return false if its head declares another length
     */
    boolean receive(byte[] piece, int length, boolean last) {
        credit.take(length);
        arrived += length;
        boolean fits = declared < 0 || (last ? arrived == declared : arrived <= declared);
        received.add(piece, length, last && fits);
        return fits;
    }

    /** Receives what fills a frame up, which counts as the body does (RFC 9113, section 6.1) and nobody reads. */
    void padded(int length) {
        credit.take(length);
        consumed(length);
    }

    /** Called by the connection's thread; false if its head declares more. */
    boolean receivedAll() {
        boolean all = declared < 0 || arrived == declared;
        if (all) {
            received.end();
        }
        return all;
    }

    /** Whether its peer may send no more of it. */
    boolean endedByPeer() {
        return cancelled || received.ended();
    }

    /** The peer, or this server, has ended it early. */
    void abandon(String why) {
        received.fail(why);
        connection.windows().close(window);
        Runnable told;
        synchronized (this) {
            gone = true;
            told = whenGone;
            whenGone = null;
        }
        if (told != null) {
            told.run();
        }
    }

    /** The peer has reset it. */
    void cancelled() {
        cancelled = true;
        answered = true;
        abandon("the client has cancelled the request");
    }

    /** Called by the thread that reads the body, and by any that ends the stream. */
    private void consumed(int bytes) {
        int more = credit.consumed(bytes);
        connection.consumed(bytes);
        if (more > 0 && received.open()) {
            connection.grant(id, more);
        }
    }

    @Override
    public void run() {
        try {
            serve(connection.handler());
        } catch (IOException gone) {
            // The peer ended the stream or left.
        } finally {
            if (!answered) {
                connection.reset(id, Http2Error.INTERNAL_ERROR);
            }
            received.fail("the stream has ended");
            body.release();
            connection.ended(this);
        }
    }

    private void serve(HttpHandler handler) throws IOException {
        BodyFraming bodyFraming;
        try {
            bodyFraming = bodyFraming();
        } catch (HttpFault fault) {
            respond(handler.error(fault.status, fault.getMessage()), "", request, received.ended());
            return;
        }
        HttpResponse refusal = handler.refuse(request);
        if (refusal != null) {
            respond(refusal, "", request, received.ended());
            return;
        }
        try {
            handle(
                    handler,
                    new HttpExchange(
                            this, request, bodyFraming, BodyReader.of(bodyFraming, new HttpInput(received, 0))));
        } finally {
            handler.done();
        }
    }

    private BodyFraming bodyFraming() {
        if (tooLarge) {
            throw new HttpFault(431, "the head is larger than " + HttpLimits.HEAD_BYTES + " bytes");
        }
        if (malformed != null) {
            throw malformed;
        }
        return declared < 0 && !received.empty() ? new BodyFraming.UntilClose() : framing;
    }

    private void handle(HttpHandler handler, HttpExchange exchange) throws IOException {
        try {
            handler.handle(exchange);
        } catch (HttpFault fault) {
            if (!exchange.responded()) {
                String retry = fault.status == 503 || fault.status == 429 ? "Retry-After: 1\r\n" : "";
                exchange.respond(handler.error(fault.status, fault.getMessage()).withHeaders(retry));
            }
        } finally {
            onClientGone(null);
        }
    }

    @Override
    public HttpLimits limits() {
        return connection.server().limits();
    }

    @Override
    public InetAddress client() {
        return connection.client();
    }

    @Override
    public BodyBuffer body() {
        return body;
    }

    @Override
    public void sendContinue() {
        // A client of HTTP/2 learns from a reset that its body is not wanted.
    }

    @Override
    public void awaitBody(long bytes) {
        long now = connection.server().now();
        progress = new ConnectionProgress(Phase.BODY, now - waitedNanos, bytes);
        deadline = now - waitedNanos + limits().transferTime().toNanos() + bytes * NANOS_PER_BYTE;
    }

    @Override
    public void working() {
        long now = connection.server().now();
        if (progress.phase() == Phase.BODY) {
            waitedNanos = now - progress.sinceNanos();
        }
        progress = new ConnectionProgress(Phase.HANDLING, now, 0);
        deadline = NEVER;
    }

    @Override
    public void awaitNext(Duration most) {
        long now = connection.server().now();
        progress = new ConnectionProgress(Phase.IDLE, now, 0);
        deadline = now + most.toNanos();
        waitedNanos = 0;
    }

    @Override
    public void onClientGone(Runnable action) {
        synchronized (this) {
            whenGone = gone ? null : action;
            if (!gone || action == null) {
                return;
            }
        }
        action.run();
    }

    @Override
    public void respond(HttpResponse response, String trailers, HttpRequest to, boolean bodyEnded) throws IOException {
        // What still comes is not kept while the peer takes its time to read the answer.
        received.fail("the request is answered");
        int length = to.isHead() ? 0 : response.length();
        int first = length == 0 ? 0 : take(length);
        Http2Output out = connection.output();
        out.send(() -> {
            boolean headOnly = length == 0 && trailers.isEmpty();
            long declared = HttpOutput.mayHaveBody(response.status()) && trailers.isEmpty() ? response.length() : -1;
            out.responseHead(id, response.status(), response.type(), declared, response.headers(), headOnly);
            send(response.body(), 0, first, length, trailers);
        });
        for (int from = first; from < length; ) {
            int at = from;
            int count = take(length - at);
            out.send(() -> send(response.body(), at, count, length, trailers));
            from += count;
        }
        finish(HttpOutput.closes(response.headers()));
    }

    private void send(byte[] bytes, int from, int count, int length, String trailers) throws IOException {
        boolean last = from + count == length;
        if (count > 0) {
            connection.output().data(id, bytes, from, count, last && trailers.isEmpty());
        }
        if (last && !trailers.isEmpty()) {
            connection.output().trailers(id, trailers);
        }
    }

    /** Waits for the peer's window; the sweeper ends a wait that lasts. */
    private int take(int wanted) throws IOException {
        enterResponse();
        int taken = connection.windows().take(window, wanted);
        working();
        return taken;
    }

    private void enterResponse() {
        long now = connection.server().now();
        progress = new ConnectionProgress(Phase.RESPONSE, now, 0);
        deadline = now + limits().transferTime().toNanos();
    }

    /** A peer that still sends its body is told that nobody reads it. */
    private void finish(boolean closes) throws IOException {
        answered = true;
        if (!received.ended()) {
            connection.reset(id, Http2Error.NO_ERROR);
        }
        if (closes || connection.server().isDraining()) {
            connection.closeAfterStreams();
        }
    }

    @Override
    public ResponseWriter begin(int status, String headers, long length, HttpRequest to, boolean bodyEnded)
            throws IOException {
        boolean headOnly = to.isHead() || !HttpOutput.mayHaveBody(status);
        Http2Output out = connection.output();
        out.send(() -> out.responseHead(id, status, null, length, headers, headOnly));
        if (headOnly) {
            finish(HttpOutput.closes(headers));
        }
        return new ResponseWriter(this, false, headOnly);
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
        Http2Output out = connection.output();
        for (int from = 0; from < length; ) {
            int at = from;
            int count = take(length - at);
            out.send(() -> out.data(id, bytes, at, count, false));
            from += count;
        }
    }

    @Override
    public void endBody(String trailers) throws IOException {
        Http2Output out = connection.output();
        out.send(() -> {
            if (trailers.isEmpty()) {
                out.data(id, new byte[0], 0, 0, true);
            } else {
                out.trailers(id, trailers);
            }
        });
        finish(false);
    }

    ConnectionProgress progress() {
        return progress;
    }

    /** Called by the sweeper: ends it if its peer is too slow. */
    void sweep(long now) {
        long until = deadline;
        if (until != NEVER && now - until > 0) {
            deadline = NEVER;
            end(Http2Error.CANCEL, "the client is too slow");
        }
    }

    /** This server ends it early. */
    void end(int code, String why) {
        connection.reset(id, code);
        answered = true;
        abandon(why);
    }
}
