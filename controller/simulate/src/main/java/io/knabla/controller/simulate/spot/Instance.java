package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.Replica;
import java.time.Instant;

/** An instance that runs in a simulation. Times are milliseconds since the trace's start. */
final class Instance {
    final String id;
    final Offering offering;

    /** Index of the zone in the trace. */
    final int zone;

    final Instant launchedAt;
    final long readyAt;

    /** When it is taken back; {@link Long#MAX_VALUE} if that was not announced. */
    long lostAt = Long.MAX_VALUE;

    boolean ready;
    boolean draining;
    boolean routed;
    Replica.Warning warning = Replica.Warning.NONE;

    Instance(String id, Offering offering, int zone, Instant launchedAt, long readyAt) {
        this.id = id;
        this.offering = offering;
        this.zone = zone;
        this.launchedAt = launchedAt;
        this.readyAt = readyAt;
    }

    /** Spot capacity of a zone that it takes; none once it is about to be taken back. */
    boolean holdsSpotIn(int other) {
        return offering.isSpot() && zone == other && warning != Replica.Warning.INTERRUPTION;
    }

    Replica asReplica() {
        Replica.State state = draining ? Replica.State.DRAINING : ready ? Replica.State.READY : Replica.State.STARTING;
        return new Replica(id, offering, launchedAt, state, warning);
    }
}
