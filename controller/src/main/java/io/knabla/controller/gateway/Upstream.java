package io.knabla.controller.gateway;

import io.knabla.controller.cluster.Replica;

/** A replica as one lane sees it; its counters are guarded by the lane. */
final class Upstream {
    final Replica replica;
    final String host;
    final int port;

    /** Requests handed to it and not ended. */
    volatile int inFlight;

    /** It refused a connection: nothing is sent there, whatever the cluster still believes. */
    boolean dead;

    Upstream(Replica replica) {
        this.replica = replica;
        host = replica.address().orElseThrow().getHost();
        port = replica.address().orElseThrow().getPort();
    }
}
