package io.knabla.controller.knative.placement;

import static java.util.stream.Collectors.groupingBy;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers the spot nodes of each pool as they were seen last. Without it a policy would see a pool that has just lost
 * its last spot node as one that never had any, and ask for no replica that brings the next one.
 */
final class LastSpotNodes {
    private final Map<Pool, List<Node>> last = new EnumMap<>(Pool.class);

    /** Returns those of pools that have none now; remembers those of the other pools. */
    List<Node> absent(Collection<Node> nodes) {
        Map<Pool, List<Node>> present = nodes.stream()
                .filter(node -> node.capacityType() == CapacityType.Spot)
                .collect(groupingBy(Node::pool));
        last.putAll(present);
        return last.entrySet().stream()
                .filter(pool -> !present.containsKey(pool.getKey()))
                .flatMap(pool -> pool.getValue().stream())
                .toList();
    }

    void forget() {
        last.clear();
    }
}
