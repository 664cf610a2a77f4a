package io.knabla.controller.scale;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Chooses the node of a version's next replica. */
public sealed interface Placement {
    /** @param reason why this node, for people */
    record Placed(String node, String reason) implements Placement {}

    /** @param reason which slots are taken, and what to do */
    record Refused(String reason) implements Placement {}

    /** @param reason which kind of node is missing, and what to do */
    record Impossible(String reason) implements Placement {}

    /**
     * A node and its slots in use.
     *
     * @param used slots taken by any function
     * @param own replicas of the version to place
     */
    record NodeUsage(Node node, int used, int own) {
        boolean free() {
            return used < node.slots();
        }
    }

    static Placement place(FunctionSpec spec, List<NodeUsage> nodes) {
        Pool pool = spec.chosenPool();
        List<NodeUsage> inPool =
                nodes.stream().filter(use -> use.node().pool() == pool).toList();
        if (inPool.isEmpty()) {
            return new Impossible(none(pool));
        }
        return switch (spec.placement().capacity()) {
            case Capacity.OnDemand -> only(CapacityType.OnDemand, pool, inPool);
            case Capacity.Spot -> only(CapacityType.Spot, pool, inPool);
            case Capacity.Mixed -> mixed(spec.placement().onDemandBase(), pool, inPool);
        };
    }

    /** Whether replicas of this kind may run on the node at all. */
    static boolean allows(FunctionSpec spec, Node node) {
        return node.pool() == spec.chosenPool()
                && switch (spec.placement().capacity()) {
                    case Capacity.OnDemand -> node.capacityType() == CapacityType.OnDemand;
                    case Capacity.Spot -> node.capacityType() == CapacityType.Spot;
                    case Capacity.Mixed -> true;
                };
    }

    private static String none(Pool pool) {
        return pool == Pool.gpu
                ? "no node has pool gpu: this machine offers no GPU; write gpu: 0 and pool: auto or cpu, or deploy to a cluster that has GPUs"
                : "no node has pool %s; add one under nodes: in config.yaml, or change spec.placement.pool"
                        .formatted(pool);
    }

    private static Placement only(CapacityType wanted, Pool pool, List<NodeUsage> nodes) {
        if (nodes.stream().noneMatch(of(wanted))) {
            return new Impossible(
                    "no %s node in pool %s; add one under nodes: in config.yaml, or change spec.placement.capacity"
                            .formatted(wanted, pool));
        }
        return best(nodes, of(wanted))
                .<Placement>map(use -> placed(use, "placement.capacity asks for " + wanted, nodes))
                .orElseGet(() -> full(
                        wanted + " ", pool, nodes.stream().filter(of(wanted)).toList()));
    }

    /** The first {@code onDemandBase} replicas on demand, the others on spot; if that type is full, the other one. */
    private static Placement mixed(int base, Pool pool, List<NodeUsage> nodes) {
        int onDemand = nodes.stream()
                .filter(of(CapacityType.OnDemand))
                .mapToInt(NodeUsage::own)
                .sum();
        boolean missesBase = onDemand < base;
        CapacityType first = missesBase ? CapacityType.OnDemand : CapacityType.Spot;
        String why = missesBase
                ? "%d of %d replicas of onDemandBase".formatted(onDemand + 1, base)
                : "spot first, onDemandBase %d is met".formatted(base);
        Optional<NodeUsage> preferred = best(nodes, of(first));
        if (preferred.isPresent()) {
            return placed(preferred.get(), why, nodes);
        }
        return best(nodes, any -> true)
                .<Placement>map(use -> placed(use, "no free " + first + " slot", nodes))
                .orElseGet(() -> full("", pool, nodes));
    }

    private static Predicate<NodeUsage> of(CapacityType type) {
        return use -> use.node().capacityType() == type;
    }

    /** Spreads over zones, then over nodes, then to the node with most free slots; names break ties. */
    private static Optional<NodeUsage> best(List<NodeUsage> nodes, Predicate<NodeUsage> allowed) {
        return nodes.stream()
                .filter(allowed)
                .filter(NodeUsage::free)
                .min(Comparator.<NodeUsage>comparingInt(use -> inZone(use.node().zone(), nodes))
                        .thenComparingInt(NodeUsage::own)
                        .thenComparingInt(use -> use.used() - use.node().slots())
                        .thenComparing(use -> use.node().name()));
    }

    private static int inZone(String zone, List<NodeUsage> nodes) {
        return nodes.stream()
                .filter(use -> use.node().zone().equals(zone))
                .mapToInt(NodeUsage::own)
                .sum();
    }

    private static Placed placed(NodeUsage use, String why, List<NodeUsage> nodes) {
        return new Placed(
                use.node().name(),
                "%s; zone %s has %d of this version's replicas"
                        .formatted(why, use.node().zone(), inZone(use.node().zone(), nodes)));
    }

    private static Placement full(String kind, Pool pool, List<NodeUsage> nodes) {
        int slots = nodes.stream().mapToInt(use -> use.node().slots()).sum();
        return new Refused(
                "all %d %sslots of pool %s are taken; raise slots under nodes: in config.yaml, or let other functions sleep"
                        .formatted(slots, kind, pool));
    }
}
