package io.knabla.controller.cluster;

import io.knabla.functions.spec.FunctionSpec.Pool;

/**
 * A machine, real or (on a laptop) virtual, that replicas run on.
 *
 * @param slots how many replicas it takes
 */
public record Node(String name, Pool pool, CapacityType capacityType, String instanceType, String zone, int slots) {

    public enum CapacityType {
        OnDemand,
        Spot
    }
}
