package io.knabla.runtime.serve;

import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.grpc.GrpcHandler;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.HttpServer;
import io.knabla.runtime.paths.ServerAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves one model over HTTP. Listens before the model is loaded; early requests wait for it, so loading and connecting
 * overlap.
 */
public final class Replica implements HttpHandler, AutoCloseable {
    private static final long DRAIN_POLL_NANOS = 2_000_000;

    private final ReplicaState state;
    private final byte[] token;
    private final Routes routes;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean draining;
    private volatile HttpServer server;

    /**
     * A replica that answers its probes and speaks these protocols.
     *
     * @param protocols made with this state; those that are called most first
     */
    public Replica(ReplicaState state, List<Endpoints> protocols) {
        this.state = state;
        this.token = state.settings().token().getBytes(StandardCharsets.UTF_8);
        this.routes = new Routes(state, protocols);
    }

    /** Starts listening and returns the port. */
    public int listen(String host, int port) throws IOException {
        HttpLimits limits = HttpLimits.forBodies(state.settings().maxBodyBytes());
        server = HttpServer.open(new InetSocketAddress(host, port), this, limits);
        return server.port();
    }

    /** Starts answering requests with this model. */
    public void serve(ServedModel model) {
        serve(model, Optional.empty());
    }

    /**
     * Starts answering requests with this model, and reports the cold start in the response headers itself, because no
     * gateway does.
     */
    public void serve(ServedModel model, StartPhases phases) {
        serve(model, Optional.of(phases));
    }

    private void serve(ServedModel model, Optional<StartPhases> phases) {
        routes.loaded(model);
        state.serve(model, phases);
    }

    @Override
    public HttpResponse refuse(HttpRequest request) {
        // Counted before the flag is read: otherwise a drain could miss an admitted request.
        inFlight.incrementAndGet();
        HttpResponse refusal = refusal(request);
        if (refusal != null) {
            inFlight.decrementAndGet();
            return refusal.withHeaders(request.trace().headerLines());
        }
        return null;
    }

    private HttpResponse refusal(HttpRequest request) {
        if (token.length > 0 && !authorised(request.header("Knabla-Replica-Token"))) {
            return InferenceError.of(403, "this replica answers only its controller; call the gateway");
        }
        if (draining && !request.path().equals(ServerAction.LIVE.path())) {
            return InferenceError.of(503, "this replica is stopping; call again")
                    .withHeaders("Retry-After: 1\r\nConnection: close\r\n");
        }
        return routes.refuse(request);
    }

    private boolean authorised(String given) {
        return given != null && MessageDigest.isEqual(token, given.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.addToResponse(exchange.request().trace().headerLines());
        try {
            routes.handle(exchange);
        } catch (UncheckedIOException left) {
            throw left.getCause();
        } catch (OutOfMemoryError full) {
            throw new HttpFault(503, Endpoints.OUT_OF_MEMORY);
        }
    }

    @Override
    public void done() {
        inFlight.decrementAndGet();
    }

    @Override
    public HttpResponse error(int status, String sentence) {
        return InferenceError.of(status, sentence);
    }

    @Override
    public HttpHandler http2() {
        return new GrpcHandler(this);
    }

    public ReplicaTotals usage() {
        return state.metrics().usage();
    }

    /** Rejects new requests, waits for those in flight, then closes. */
    public void drain() {
        draining = true;
        state.stop();
        if (server != null) {
            server.drain();
        }
        long until = System.nanoTime() + state.settings().drain().toNanos();
        while (inFlight.get() > 0 && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
        close();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
