package io.knabla.controller.front;

import io.knabla.controller.auth.FrontKey;
import io.knabla.runtime.http.BodyPump;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.ConnectionLease;
import io.knabla.runtime.http.ConnectionPool;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.relay.EndToEndHeaders;
import io.knabla.runtime.relay.RequestRelay;
import io.knabla.runtime.relay.ResponseRelay;
import java.io.IOException;

/** Forwards requests to the control API, which listens on a loopback port. */
final class ControlApiProxy implements AutoCloseable {
    /** Shorter bodies are read before the API sees the request, so that slow clients do not occupy it. */
    private static final int KEPT = 64 << 10;

    private final ConnectionPool connections;
    private final String key;

    ControlApiProxy(ConnectionPool connections, String key) {
        this.connections = connections;
        this.key = key;
    }

    /** Each resource of the API limits the body that it reads. */
    void handle(HttpExchange exchange) throws IOException {
        exchange.limitBody(Long.MAX_VALUE, "");
        exchange.readBody(KEPT);
        ConnectionLease lease = new ConnectionLease(connections);
        ClientConnection connection = connect(lease);
        try {
            exchange.onClientGone(lease::cancel);
            pass(exchange, connection);
        } finally {
            lease.give();
        }
    }

    private static ClientConnection connect(ConnectionLease lease) {
        try {
            return lease.take();
        } catch (IOException closed) {
            throw new HttpFault(503, "the control API does not take connections; call again in a moment");
        }
    }

    private void pass(HttpExchange exchange, ClientConnection connection) throws IOException {
        BodyPump pump = null;
        ResponseHead head;
        try {
            pump = RequestRelay.send(exchange, connection, exchange.request().target(), headers(exchange));
            head = connection.readHead();
        } catch (IOException lost) {
            if (pump != null) {
                pump.rethrow();
            }
            throw new HttpFault(503, "the control API ended before it answered; call again in a moment");
        }
        StringBuilder headers = new StringBuilder(256);
        EndToEndHeaders.append(head.headers(), name -> false, headers);
        ResponseRelay.stream(connection, head, headers.toString(), exchange);
        if (pump != null && !pump.complete()) {
            connection.close();
        }
    }

    private StringBuilder headers(HttpExchange exchange) {
        StringBuilder headers = new StringBuilder(512);
        EndToEndHeaders.append(exchange.request().headers(), FrontKey.HEADER::equalsIgnoreCase, headers);
        return headers.append(FrontKey.HEADER).append(": ").append(key).append("\r\n");
    }

    @Override
    public void close() {
        connections.close();
    }
}
