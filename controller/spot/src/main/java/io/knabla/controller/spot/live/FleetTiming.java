package io.knabla.controller.spot.live;

import java.time.Duration;

/**
 * How often the platform plans the replicas of a version, and how long a change must be wanted before it is made, on a
 * laptop or on a cluster.
 *
 * @param period between two plans
 * @param settling for so long a division of the replicas must be wanted; zero to act on each plan
 */
public record FleetTiming(Duration period, Duration settling) {
    /** Processes of this machine. */
    public static final FleetTiming LAPTOP = new FleetTiming(Duration.ofSeconds(2), Duration.ZERO);

    /** Pods, each of which starts sooner than that on a node that has room. */
    public static final FleetTiming CLUSTER = new FleetTiming(Duration.ofSeconds(2), Duration.ofSeconds(20));
}
