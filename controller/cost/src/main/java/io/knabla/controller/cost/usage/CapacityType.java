package io.knabla.controller.cost.usage;

/** How a node was bought. */
public enum CapacityType {
    ON_DEMAND,
    SPOT
}
