package io.knabla.controller.local.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Settings and HTTP clients that all exchanges share. Each event loop has its own client, which keeps a request and its
 * connection to a replica on one thread.
 */
final class ExchangeResources implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;

    /** Above any replica's concurrency: the version's queue limits the requests in flight. */
    private static final int MOST_CONNECTIONS = 10_000;

    private final Vertx vertx;
    private final GatewaySettings settings;
    private final List<HttpClient> clients = new CopyOnWriteArrayList<>();
    private final ThreadLocal<HttpClient> ofThread = ThreadLocal.withInitial(this::open);

    ExchangeResources(Vertx vertx, GatewaySettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    Vertx vertx() {
        return vertx;
    }

    GatewaySettings settings() {
        return settings;
    }

    HttpClient client() {
        return ofThread.get();
    }

    private HttpClient open() {
        HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                .setMaxPoolSize(MOST_CONNECTIONS)
                .setMaxWaitQueueSize(0)
                .setKeepAlive(true)
                .setPipelining(false)
                .setTcpNoDelay(true)
                .setConnectTimeout(CONNECT_MILLIS)
                .setDecompressionSupported(false)
                .setTracingPolicy(TracingPolicy.IGNORE));
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(HttpClient::close);
    }
}
