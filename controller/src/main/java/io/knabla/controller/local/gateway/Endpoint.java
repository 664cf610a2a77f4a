package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.Replica;
import io.knabla.runtime.http.ConnectionPool;
import java.net.InetSocketAddress;
import java.net.URI;

/** Ready replica of one version with its number of requests in flight; guarded by the version's queue. */
final class Endpoint {
    final Replica replica;
    final String authority;
    final ConnectionPool connections;

    /** Requests assigned to it that have not ended. */
    volatile int inFlight;

    /** It refused a connection: it gets no more requests, even if the cluster still reports it as ready. */
    boolean dead;

    Endpoint(Replica replica) {
        this.replica = replica;
        URI address = replica.address().orElseThrow();
        authority = address.getAuthority();
        connections = new ConnectionPool(new InetSocketAddress(address.getHost(), address.getPort()));
    }
}
