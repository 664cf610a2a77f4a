package io.knabla.controller.simulate.spot;

/** Scales the fleet of a simulation: has a spot policy decide, then starts and drains instances. */
sealed interface FleetScaler permits PublishedScaler, LaptopScaler, ClusterScaler {
    /** @param now milliseconds since the trace's start */
    void act(long now);
}
