package io.knabla.controller.spot.policy;

import java.time.Instant;

/** An interruption, a refused launch or a rebalance recommendation of an offering since the last decision. */
public record CapacityEvent(Kind kind, Offering offering, Instant at) {
    /** Kinds of events. */
    public enum Kind {
        /** A launch was refused for want of capacity. */
        LAUNCH_REFUSED,
        /** An offering that refused launches is seen to have room again. */
        ROOM_RETURNED,
        /** A replica's node was taken back, or its interruption was announced. */
        INTERRUPTED,
        REBALANCE_RECOMMENDED
    }

    public boolean isLoss() {
        return kind == Kind.INTERRUPTED;
    }
}
