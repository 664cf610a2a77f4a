package io.knabla.controller.local.usage;

import io.knabla.controller.machine.Node;
import io.knabla.controller.price.InstanceSizes;
import io.knabla.controller.price.ReferencePrices;
import io.knabla.controller.price.ZoneIds;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * Records the nodes that a laptop pretends to have: with the size of their instance type, or of this machine if their
 * type is unknown.
 */
final class VirtualNodes {
    private VirtualNodes() {}

    static NodeInterval running(Node node, String id, Instant start, Resources machine) {
        return new NodeInterval(
                id,
                node.name(),
                node.pool().name(),
                switch (node.capacityType()) {
                    case OnDemand -> CapacityType.ON_DEMAND;
                    case Spot -> CapacityType.SPOT;
                },
                node.instanceType(),
                ZoneIds.region(node.zone()).orElse(""),
                node.zone(),
                size(node, machine),
                new Interval(start, Optional.empty()),
                NodeEnd.RUNNING);
    }

    /** Reads the table of sizes only for a node that names a type. */
    private static Resources size(Node node, Resources machine) {
        return node.instanceType().equals(ReferencePrices.INSTANCE_TYPE)
                ? machine
                : InstanceSizes.of(node.instanceType()).orElse(machine);
    }
}
