package io.knabla.controller.scale;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.spot.live.SlotChoice;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.SpotTimeout;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Chooses the node of a version's next replica. */
public sealed interface Placement {
    /** @param reason why this node, for people */
    record Placed(String node, String reason) implements Placement {}

    /** @param reason which slots are taken, and what to do */
    record Refused(String reason) implements Placement {}

    /**
     * All nodes of the kind are closed.
     *
     * @param until when the first of them may open again
     */
    record Closed(String reason, Instant until) implements Placement {}

    /** @param reason which kind of node is missing, and what to do */
    record Impossible(String reason) implements Placement {}

    /**
     * A node and its slots in use.
     *
     * @param used slots taken by workloads of any owner
     * @param own replicas of the version to place
     * @param closed why no replica is placed on it now
     */
    record NodeUsage(Node node, int used, int own, Optional<Closure> closed) implements SlotChoice.Slot {
        NodeUsage(Node node, int used, int own) {
            this(node, used, own, Optional.empty());
        }

        @Override
        public String name() {
            return node.name();
        }

        @Override
        public Offering offering() {
            return FleetView.offering(node);
        }

        @Override
        public int room() {
            return closed.isPresent() ? 0 : node.slots() - used;
        }

        @Override
        public boolean isLastResort() {
            return node.purchase() == Purchase.PerUse;
        }
    }

    /** @param reason for people, such as "it is taken back in 85 s" */
    record Closure(String reason, Instant until) {}

    /**
     * Places a replica that a plan launches: on reserved capacity, else on the planned capacity and zone, else in
     * another zone, else on the other capacity if the function may use it, else on capacity that is paid per use.
     *
     * @param why the plan's reason, for people
     */
    static Placement place(FunctionSpec spec, Offering planned, String why, List<NodeUsage> nodes) {
        Pool pool = spec.chosenPool();
        if (nodes.stream().noneMatch(use -> use.node().pool() == pool)) {
            return new Impossible(none(pool));
        }
        List<NodeUsage> allowed = allowed(spec, nodes);
        if (allowed.isEmpty()) {
            return new Impossible(
                    "no %s node in pool %s; add one under nodes: in config.yaml, or change spec.placement.capacity%s"
                            .formatted(only(spec).orElseThrow(), pool, boundByTimeout(spec)));
        }
        return SlotChoice.best(allowed, use -> use.node().purchase() == Purchase.Reserved)
                .map(use -> placed(use, why + "; reserved capacity is paid for anyway", allowed))
                .or(() -> SlotChoice.choose(planned, allowed)
                        .map(chosen -> placed(chosen.slot(), why + difference(planned, chosen.match()), allowed)))
                .orElseGet(() -> full(spec, pool, allowed));
    }

    /** Places a replica as planned, or not at all; the zone of capacity on demand is free, and not paid per use. */
    static Optional<Placement> exactly(FunctionSpec spec, Offering planned, String why, List<NodeUsage> nodes) {
        List<NodeUsage> allowed = allowed(spec, nodes);
        return SlotChoice.asPlanned(planned, allowed).map(use -> placed(use, why, allowed));
    }

    private static List<NodeUsage> allowed(FunctionSpec spec, List<NodeUsage> nodes) {
        return nodes.stream().filter(use -> allows(spec, use.node())).toList();
    }

    private static String difference(Offering planned, SlotChoice.Match match) {
        return switch (match) {
            case PLANNED -> "";
            case OTHER_ZONE -> "; no usable spot slot in zone " + planned.zone();
            case OTHER_CAPACITY ->
                "; no usable %s slot".formatted(planned.isSpot() ? CapacityType.Spot : CapacityType.OnDemand);
            case LAST_RESORT -> "; no other usable slot, so it is paid per use";
        };
    }

    /** Whether replicas of this kind may run on the node at all. */
    static boolean allows(FunctionSpec spec, Node node) {
        return node.pool() == spec.chosenPool()
                && only(spec).filter(type -> type != node.capacityType()).isEmpty();
    }

    /** The capacity type that a function is bound to; empty if it may use both. */
    private static Optional<CapacityType> only(FunctionSpec spec) {
        return switch (spec.placement().capacity()) {
            case Capacity.OnDemand -> Optional.of(CapacityType.OnDemand);
            case Capacity.Spot -> Optional.of(CapacityType.Spot);
            case Capacity.Mixed -> SpotTimeout.fits(spec) ? onlyOfPolicy(spec) : Optional.of(CapacityType.OnDemand);
        };
    }

    private static Optional<CapacityType> onlyOfPolicy(FunctionSpec spec) {
        return switch (spec.placement().policy()) {
            case SpotPolicyName.OnDemandOnly -> Optional.of(CapacityType.OnDemand);
            case SpotPolicyName.SpotOnly ->
                spec.placement().onDemandBase() == 0 ? Optional.of(CapacityType.Spot) : Optional.empty();
            case SpotPolicyName.StaticMix, SpotPolicyName.SpotHedge, SpotPolicyName.Adaptive -> Optional.empty();
        };
    }

    private static String boundByTimeout(FunctionSpec spec) {
        return spec.placement().capacity() == Capacity.Mixed && !SpotTimeout.fits(spec)
                ? " or shorten spec.timeout: Mixed uses spot nodes only up to %d s"
                        .formatted(SpotTimeout.LONGEST.toSeconds())
                : "";
    }

    private static String none(Pool pool) {
        return pool == Pool.gpu
                ? "no node has pool gpu: this machine offers no GPU; write gpu: 0 and pool: auto or cpu, or deploy to a cluster that has GPUs"
                : "no node has pool %s; add one under nodes: in config.yaml, or change spec.placement.pool"
                        .formatted(pool);
    }

    private static Placement placed(NodeUsage use, String why, List<NodeUsage> nodes) {
        return new Placed(
                use.node().name(),
                "%s; zone %s has %d of this version's replicas"
                        .formatted(
                                why,
                                use.node().zone(),
                                SlotChoice.inZone(use.node().zone(), nodes)));
    }

    private static Placement full(FunctionSpec spec, Pool pool, List<NodeUsage> nodes) {
        Optional<Instant> opens = nodes.stream()
                .flatMap(use -> use.closed().stream())
                .map(Closure::until)
                .min(Comparator.naturalOrder());
        String closed = nodes.stream()
                .flatMap(use -> use.closed().map(why -> use.node().name() + ": " + why.reason()).stream())
                .collect(Collectors.joining("; "));
        if (nodes.stream().allMatch(use -> use.closed().isPresent())) {
            return new Closed("no node can be used now: " + closed, opens.orElseThrow());
        }
        int slots = nodes.stream()
                .filter(use -> use.closed().isEmpty())
                .mapToInt(use -> use.node().slots())
                .sum();
        String kind = only(spec).map(type -> type + " ").orElse("");
        return new Refused(
                "all %d %sslots of pool %s are taken%s; raise slots under nodes: in config.yaml, or let other functions sleep"
                        .formatted(slots, kind, pool, closed.isEmpty() ? "" : " (" + closed + ")"));
    }
}
