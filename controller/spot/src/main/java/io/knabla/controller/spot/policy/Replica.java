package io.knabla.controller.spot.policy;

import java.time.Duration;
import java.time.Instant;

/** A replica that runs, starts or drains. */
public record Replica(String id, Offering offering, Instant launchedAt, State state, Warning warning) {
    /** How far a replica is in its life. */
    public enum State {
        STARTING,
        READY,
        DRAINING
    }

    /** What the provider has announced for the replica's node. */
    public enum Warning {
        NONE,
        /** A higher risk of an interruption: EC2's rebalance recommendation. */
        REBALANCE,
        /** The node will be taken back within the notice. */
        INTERRUPTION,
        /** The notice leaves time only to finish the requests that the replica has. */
        INTERRUPTION_IMMINENT;

        public boolean isInterruption() {
            return this == INTERRUPTION || this == INTERRUPTION_IMMINENT;
        }
    }

    public boolean isSpot() {
        return offering.isSpot();
    }

    public boolean isReady() {
        return state == State.READY;
    }

    /** Whether a plan may still count on the replica. */
    public boolean isLive() {
        return state != State.DRAINING && !warning.isInterruption();
    }

    public Duration age(Instant now) {
        return Duration.between(launchedAt, now);
    }
}
