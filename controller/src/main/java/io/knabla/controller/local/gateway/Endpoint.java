package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.Replica;
import io.knabla.runtime.http.ConnectionPool;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ready replica of one version with its number of requests in flight; guarded by the version's queue. */
final class Endpoint {
    final Replica replica;
    final String authority;
    final ConnectionPool connections;
    private final CountDownLatch removed = new CountDownLatch(1);

    /** Requests assigned to it that have not ended. */
    volatile int inFlight;

    /** It refused a connection: it gets no more requests until the cluster reports it as ready again. */
    boolean dead;

    /** The cluster reported that it does not answer its health probes. */
    boolean unresponsive;

    final SlotOvercommit overcommit = new SlotOvercommit();

    /** Whether it has answered a request. */
    boolean answered;

    Endpoint(Replica replica) {
        this.replica = replica;
        URI address = replica.address().orElseThrow();
        authority = address.getAuthority();
        connections = new ConnectionPool(new InetSocketAddress(address.getHost(), address.getPort()));
    }

    /** After a probe that it answered. */
    void answersAgain() {
        dead = false;
        unresponsive = false;
    }

    /** The cluster has reported that the replica takes no more requests. */
    void remove() {
        removed.countDown();
        connections.close();
    }

    /** Waits until the cluster has reported its end, at most this long. */
    void awaitRemoval(long millis) {
        try {
            removed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
