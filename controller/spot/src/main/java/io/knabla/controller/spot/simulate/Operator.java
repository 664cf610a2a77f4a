package io.knabla.controller.spot.simulate;

/** Has a policy decide and carries its decision out on the fleet of one simulation. */
sealed interface Operator permits PublishedOperator, LaptopOperator, ClusterOperator {
    /** @param now milliseconds since the trace's start */
    void act(long now);
}
