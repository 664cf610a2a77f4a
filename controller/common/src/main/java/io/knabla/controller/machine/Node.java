package io.knabla.controller.machine;

import io.knabla.functions.spec.FunctionSpec.Pool;

/**
 * A machine that runs replicas; virtual on a laptop.
 *
 * @param slots number of replicas it can run
 */
public record Node(String name, Pool pool, CapacityType capacityType, String instanceType, String zone, int slots) {

    public enum CapacityType {
        OnDemand,
        Spot
    }
}
