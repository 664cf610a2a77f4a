package io.knabla.controller.machine;

import io.knabla.functions.spec.FunctionSpec.Pool;

/**
 * A machine that runs replicas; virtual on a laptop.
 *
 * @param zone as schedulers name it; on AWS by a letter that means another zone in each account
 * @param zoneId as prices name it; the zone's name where the provider has no other
 * @param slots number of replicas it can run
 */
public record Node(
        String name,
        Pool pool,
        CapacityType capacityType,
        String instanceType,
        String zone,
        String zoneId,
        int slots,
        Purchase purchase) {

    public Node(String name, Pool pool, CapacityType capacityType, String instanceType, String zone, int slots) {
        this(name, pool, capacityType, instanceType, zone, slots, Purchase.Hourly);
    }

    public Node(
            String name,
            Pool pool,
            CapacityType capacityType,
            String instanceType,
            String zone,
            int slots,
            Purchase purchase) {
        this(name, pool, capacityType, instanceType, zone, zone, slots, purchase);
    }

    /** How a node is paid for, in the order in which nodes are used. */
    public enum Purchase {
        /** In advance, whether used or not: it takes replicas before any other node, unless they must be on spot. */
        Reserved,
        Hourly,
        /** Only while used, and dear: it takes replicas that no other node has room for. */
        PerUse
    }

    public enum CapacityType {
        OnDemand,
        Spot
    }
}
