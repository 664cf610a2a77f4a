package io.knabla.controller.front;

import io.knabla.controller.auth.RequestGuard;
import io.knabla.controller.errors.Problem;
import io.knabla.runtime.grpc.GrpcHandler;
import io.knabla.runtime.http.ConnectionPool;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The controller's HTTP server: accepts or refuses each request by its head, then passes it to the gateway or to the
 * control API.
 */
public final class Front implements HttpHandler, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Front.class.getName());
    private static final long DRAIN_NANOS = 5_000_000_000L;
    private static final long DRAIN_POLL_NANOS = 5_000_000;

    private final RequestGuard guard;
    private final FunctionHandler functions;
    private final ControlApiProxy api;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean closing;
    private HttpServer server;

    private Front(RequestGuard guard, FunctionHandler functions, ControlApiProxy api) {
        this.guard = guard;
        this.functions = functions;
        this.api = api;
    }

    /**
     * Listens.
     *
     * @param apiPort where the control API listens on this machine
     * @param key that the control API expects
     */
    public static Front open(
            InetSocketAddress address,
            HttpLimits limits,
            RequestGuard guard,
            FunctionHandler functions,
            int apiPort,
            String key)
            throws IOException {
        var connections = new ConnectionPool(new InetSocketAddress("127.0.0.1", apiPort));
        var front = new Front(guard, functions, new ControlApiProxy(connections, key));
        front.server = HttpServer.open(address, front, limits);
        return front;
    }

    public int port() {
        return server.port();
    }

    @Override
    public HttpResponse refuse(HttpRequest request) {
        // Counted before the flag is read: otherwise the end could miss an admitted request.
        inFlight.incrementAndGet();
        HttpResponse refusal = closing
                ? error(503, "the controller is stopping; call again in a moment")
                        .withHeaders("Retry-After: 1\r\nConnection: close\r\n")
                : unwelcome(request);
        if (refusal != null) {
            inFlight.decrementAndGet();
            return refusal.withHeaders(ownHeaders(request));
        }
        return null;
    }

    private String ownHeaders(HttpRequest request) {
        return guard.pages().headers(Optional.ofNullable(request.header("Origin")))
                + request.trace().headerLines();
    }

    private HttpResponse unwelcome(HttpRequest request) {
        RequestGuard.Request head = head(request);
        boolean preflight = request.method().equals("OPTIONS")
                && guard.pages().allows(head.origin())
                && request.header("Access-Control-Request-Method") != null;
        return preflight
                ? refusal(guard.checkPage(head)).orElseGet(this::allowed)
                : refusal(guard.check(head)).orElse(null);
    }

    private HttpResponse allowed() {
        return new HttpResponse(204, null, guard.pages().preflightHeaders(), new byte[0], 0);
    }

    private static RequestGuard.Request head(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return new RequestGuard.Request(
                request.isHead() ? "HEAD" : request.method(),
                request.path(),
                hosts(headers),
                Optional.ofNullable(headers.get("Origin")),
                Optional.ofNullable(headers.get("Sec-Fetch-Site")),
                Optional.ofNullable(headers.get("Sec-Fetch-Mode")),
                Optional.ofNullable(headers.get("Authorization")));
    }

    private Optional<HttpResponse> refusal(Optional<RequestGuard.Refusal> refused) {
        return refused.map(refusal -> {
            HttpResponse problem = error(refusal.status(), refusal.sentence());
            return refusal.challenge()
                    .map(challenge -> problem.withHeaders("WWW-Authenticate: " + challenge + "\r\n"))
                    .orElse(problem);
        });
    }

    /** The server has refused a request with several already; one of HTTP/1.0 may have none. */
    private static List<String> hosts(HttpHeaders headers) {
        String host = headers.get("Host");
        return host == null ? List.of() : List.of(host);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.addToResponse(ownHeaders(exchange.request()));
        try {
            if (functions.handles(exchange.request())) {
                functions.handle(exchange);
            } else {
                api.handle(exchange);
            }
        } catch (HttpFault fault) {
            throw fault;
        } catch (RuntimeException bug) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the controller failed on " + exchange.request().trace(),
                    bug);
            throw new HttpFault(500, "the controller failed on this request; its log says more");
        }
    }

    @Override
    public void done() {
        inFlight.decrementAndGet();
    }

    @Override
    public HttpHandler http2() {
        return new GrpcHandler(this);
    }

    @Override
    public HttpResponse error(int status, String sentence) {
        byte[] problem = Problem.of(status, sentence).forInference().json();
        return new HttpResponse(status, Problem.MEDIA_TYPE, "", problem, problem.length);
    }

    /** Refuses further requests, waits a moment for those under way, then closes all connections. */
    @Override
    public void close() {
        closing = true;
        long until = System.nanoTime() + DRAIN_NANOS;
        while (inFlight.get() > 0 && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
        server.close();
        api.close();
    }
}
