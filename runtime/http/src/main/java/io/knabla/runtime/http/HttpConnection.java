package io.knabla.runtime.http;

import io.knabla.runtime.http.ConnectionProgress.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** Serves one connection: reads a request, passes it to the handler, writes the response, and repeats. */
final class HttpConnection implements Runnable, ExchangeCarrier {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String CLOSE = "Connection: close\r\n";
    private static final int LINGER_BYTES = 4 << 20;
    private static final Duration LINGER_TIME = Duration.ofSeconds(2);

    /** A longer body is written in pieces of this size, each with its own time. */
    static final int ONE_WRITE = 64 << 10;

    private static final long NEVER = Long.MAX_VALUE;

    /** A body may come at 16 KiB a second after its first half minute. */
    private static final long NANOS_PER_BYTE = 1_000_000_000L >> 14;

    private final HttpServer server;
    private final HttpHandler handler;
    private final Socket socket;
    private final InetAddress client;
    private final HttpInput in;
    private final HttpOutput out;
    private final BodyBuffer body;
    private final PeerWatch watch;

    /** Time after which the sweeper closes this connection; {@link #NEVER} while the handler runs. */
    private volatile long deadline;

    private volatile ConnectionProgress progress;

    /** For how long the current request's body was waited for. */
    private long waitedNanos;

    /** Not null once the peer speaks HTTP/2. */
    private volatile Http2Connection http2;

    private boolean keep;
    private Thread thread;

    /** The output has ended: only the linger time counts from here on. */
    private boolean ending;

    HttpConnection(HttpServer server, Socket socket) throws IOException {
        this.server = server;
        this.handler = server.handler();
        this.socket = socket;
        this.client = socket.getInetAddress();
        this.in = new HttpInput(socket.getInputStream());
        this.out = new HttpOutput(socket.getOutputStream());
        this.body = new BodyBuffer(server, client);
        this.watch = new PeerWatch(in);
        enter(Phase.NEW, server.limits().headTime());
    }

    /** Serves it on a thread of its own. */
    void start(ThreadFactory threads) {
        thread = threads.newThread(this);
        thread.start();
    }

    @Override
    public void run() {
        try {
            if (in.awaitFirstByte() && in.skip(Http2Connection.PREFACE)) {
                serveHttp2();
                return;
            }
            while (serveOne()) {
                enter(Phase.IDLE, server.limits().idleTime());
            }
        } catch (IOException gone) {
            // The peer left or was too slow.
        } finally {
            body.release();
            server.remove(this);
            close();
        }
    }

    private void serveHttp2() throws IOException {
        deadline = NEVER;
        http2 = new Http2Connection(server, socket, in);
        http2.run();
        linger();
    }

    /** Serves one request; false if the connection must close after it. */
    private boolean serveOne() throws IOException {
        HttpRequest request;
        BodyFraming framing;
        try {
            if (!watch.joined() || !in.awaitFirstByte()) {
                return false;
            }
            enter(Phase.HEAD, server.limits().headTime());
            request = in.readRequest();
            framing = BodyFraming.of(request);
            checkHost(request);
        } catch (HttpFault fault) {
            return fail(fault, false);
        }
        HttpResponse refusal = handler.refuse(request);
        if (refusal != null) {
            keep = framing.equals(BodyFraming.NONE) && keepAlive(request);
            enter(Phase.RESPONSE, transferTime(refusal.length()));
            out.write(refusal, keep, request.isHead());
            return keep || linger();
        }
        try {
            waitedNanos = 0;
            working();
            return handle(new HttpExchange(this, request, framing, BodyReader.of(framing, in)));
        } finally {
            handler.done();
        }
    }

    private boolean handle(HttpExchange exchange) throws IOException {
        try {
            handler.handle(exchange);
        } catch (HttpFault fault) {
            if (exchange.responded()) {
                return false;
            }
            exchange.respond(
                    handler.error(fault.status, fault.getMessage()).withHeaders(CLOSE + retryAfter(fault.status)));
        } finally {
            watch.stop();
            body.release();
        }
        if (!exchange.complete()) {
            return false;
        }
        if (keep) {
            // It has read the last byte, but may still be about to say so.
            exchange.dropBody();
            return true;
        }
        endOutput();
        exchange.dropBody();
        return discard();
    }

    private static String retryAfter(int status) {
        return status == 503 || status == 429 ? "Retry-After: 1\r\n" : "";
    }

    private static void checkHost(HttpRequest request) {
        int hosts = request.headers().count("Host");
        if (hosts > 1 || (hosts == 0 && request.http11())) {
            throw new HttpFault(400, "a request needs exactly one Host header");
        }
    }

    private static boolean keepAlive(HttpRequest request) {
        return request.http11() && !request.headers().lists("Connection", "close");
    }

    @Override
    public HttpLimits limits() {
        return server.limits();
    }

    @Override
    public InetAddress client() {
        return client;
    }

    @Override
    public BodyBuffer body() {
        return body;
    }

    boolean hasStreams() {
        Http2Connection streams = http2;
        return streams != null && streams.hasStreams();
    }

    /**
     * Whether it is still the peer's turn, as it was at {@code seen}. While bytes of the peer lie unread, it is the
     * server's. Bytes sent by a peer that has to read a response do not count.
     */
    boolean awaits(ConnectionProgress seen) {
        if (http2 != null || seen.phase() == Phase.RESPONSE) {
            return true;
        }
        try {
            return socket.getInputStream().available() == 0 && seen == progress;
        } catch (IOException closed) {
            return true;
        }
    }

    /** Whether a large body that is not complete is held for it. */
    boolean holdsBody() {
        Http2Connection streams = http2;
        return streams == null ? body.holds() : streams.holdsBody();
    }

    @Override
    public void sendContinue() throws IOException {
        if (!in.hasBuffered()) {
            out.write(CONTINUE, 0, CONTINUE.length);
        }
    }

    /**
     * Waits for the peer from here on. What counts is the time that the server has waited for it: a peer may have all
     * the time that the server itself lets a body wait.
     *
     * @param received bytes of the body so far
     */
    @Override
    public synchronized void awaitBody(long received) {
        if (ending) {
            return;
        }
        long now = server.now();
        progress = new ConnectionProgress(Phase.BODY, now - waitedNanos, received);
        deadline = now - waitedNanos + server.limits().transferTime().toNanos() + received * NANOS_PER_BYTE;
    }

    @Override
    public synchronized void working() {
        if (ending) {
            return;
        }
        long now = server.now();
        ConnectionProgress before = progress;
        if (before.phase() == Phase.BODY) {
            waitedNanos = now - before.sinceNanos();
        }
        progress = new ConnectionProgress(Phase.HANDLING, now, 0);
        deadline = NEVER;
    }

    @Override
    public void onClientGone(Runnable action) {
        watch.start(action);
    }

    @Override
    public void respond(HttpResponse response, String trailers, HttpRequest request, boolean bodyEnded)
            throws IOException {
        watch.stop();
        keep = mayKeep(request, response.headers(), bodyEnded);
        enter(Phase.RESPONSE, transferTime(0));
        if (response.length() <= ONE_WRITE || request.isHead()) {
            out.write(response, keep, request.isHead());
        } else {
            out.writeHead(response, keep);
            write(response.body(), response.length());
        }
    }

    @Override
    public ResponseWriter begin(int status, String headers, long length, HttpRequest request, boolean bodyEnded)
            throws IOException {
        boolean hasBody = HttpOutput.mayHaveBody(status);
        boolean chunked = hasBody && length < 0 && request.http11();
        boolean framed = !hasBody || length >= 0 || chunked;
        keep = framed && mayKeep(request, headers, bodyEnded);
        enter(Phase.RESPONSE, transferTime(0));
        String framing = !hasBody ? "" : chunked ? "Transfer-Encoding: chunked\r\n" : sized(length);
        out.writeHead(status, headers, framing, keep);
        working();
        return new ResponseWriter(this, chunked, request.isHead() || !hasBody);
    }

    private boolean mayKeep(HttpRequest request, String headers, boolean bodyEnded) {
        return bodyEnded && keepAlive(request) && !HttpOutput.closes(headers) && !server.isDraining();
    }

    private static String sized(long length) {
        return length < 0 ? "" : "Content-Length: " + length + "\r\n";
    }

    /** Each piece has its own time: a stream may last, but its reader must keep reading. */
    @Override
    public void write(byte[] bytes, int length) throws IOException {
        for (int from = 0; from < length; from += ONE_WRITE) {
            int count = Math.min(ONE_WRITE, length - from);
            enter(Phase.RESPONSE, transferTime(count));
            out.write(bytes, from, count);
        }
        working();
    }

    @Override
    public void endBody(String trailers) {
        // Chunks have their own end, and no client of HTTP/1.1 asks for trailers.
    }

    private boolean fail(HttpFault fault, boolean head) throws IOException {
        HttpResponse response = handler.error(fault.status, fault.getMessage());
        enter(Phase.RESPONSE, transferTime(response.length()));
        out.write(response, false, head);
        return linger();
    }

    /**
     * Reads and drops what the peer still sends, for a moment: closing with unread bytes would reset the connection and
     * could discard the response.
     */
    private boolean linger() throws IOException {
        endOutput();
        return discard();
    }

    private void endOutput() throws IOException {
        synchronized (this) {
            ending = true;
            enter(Phase.IDLE, LINGER_TIME);
        }
        socket.shutdownOutput();
    }

    private boolean discard() throws IOException {
        if (watch.joined()) {
            in.discard(LINGER_BYTES);
        }
        return false;
    }

    private Duration transferTime(long bytes) {
        return server.limits().transferTime().plusSeconds(bytes >> 16);
    }

    private synchronized void enter(Phase phase, Duration time) {
        long now = server.now();
        progress = new ConnectionProgress(phase, now, 0);
        deadline = now + time.toNanos();
    }

    ConnectionProgress progress() {
        Http2Connection streams = http2;
        return streams == null ? progress : streams.progress();
    }

    /** Called twice a second by the sweeper. */
    void sweep(long now) {
        long until = deadline;
        Http2Connection streams = http2;
        if (streams != null && !streams.sweep(now)) {
            close();
        } else if (until != NEVER && now - until > 0) {
            close();
        } else {
            watch.sweep();
        }
    }

    /** Waits, after {@link #close}, until its thread has dropped what it held; a stuck one is not waited for. */
    void awaitEnd() {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(LINGER_TIME);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // There is nothing to release.
        }
    }
}
