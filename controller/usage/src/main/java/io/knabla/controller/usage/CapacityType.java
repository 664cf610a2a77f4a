package io.knabla.controller.usage;

/** How a node was bought. */
public enum CapacityType {
    ON_DEMAND,
    SPOT
}
