package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.Replica;

/** Ready replica of one version with its number of requests in flight; guarded by the version's queue. */
final class Endpoint {
    final Replica replica;
    final String host;
    final int port;

    /** Requests assigned to it that have not ended. */
    volatile int inFlight;

    /** It refused a connection: it gets no more requests, even if the cluster still reports it as ready. */
    boolean dead;

    Endpoint(Replica replica) {
        this.replica = replica;
        host = replica.address().orElseThrow().getHost();
        port = replica.address().orElseThrow().getPort();
    }
}
