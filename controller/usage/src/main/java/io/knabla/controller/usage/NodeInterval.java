package io.knabla.controller.usage;

/**
 * Time for which a node is paid, whether used or not.
 *
 * @param id never reused: a Kubernetes node's uid, or the name and start of a virtual node
 * @param name as shown to people
 * @param pool kind of hardware, such as {@code cpu}
 * @param instanceType as the provider names it; empty if unknown
 * @param zoneId zone id of the provider, such as {@code use1-az1}; zone names differ between accounts
 * @param size what the node has
 */
public record NodeInterval(
        String id,
        String name,
        String pool,
        CapacityType capacity,
        String instanceType,
        String region,
        String zoneId,
        Resources size,
        Interval time,
        NodeEnd end) {

    /** This node, paid for another time. */
    public NodeInterval during(Interval other, NodeEnd itsEnd) {
        return new NodeInterval(id, name, pool, capacity, instanceType, region, zoneId, size, other, itsEnd);
    }
}
