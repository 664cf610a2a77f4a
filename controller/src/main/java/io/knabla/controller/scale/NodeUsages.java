package io.knabla.controller.scale;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.Placement.Closure;
import io.knabla.controller.scale.Placement.NodeUsage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Counts the slots in use on each node, for placement. */
final class NodeUsages {
    private NodeUsages() {}

    /** A draining replica occupies its slot until it has ended, but no longer counts for its version. */
    static List<NodeUsage> of(Cluster cluster, VersionScaling version, Function<Node, Optional<Closure>> closed) {
        List<Replica> replicas = cluster.replicas();
        return cluster.nodes().stream()
                .map(node -> {
                    List<Replica> here = replicas.stream()
                            .filter(replica -> replica.node().equals(node.name()))
                            .toList();
                    return new NodeUsage(
                            node,
                            (int) here.stream().filter(NodeUsages::holdsSlot).count(),
                            (int) here.stream()
                                    .filter(version::owns)
                                    .filter(NodeUsages::counts)
                                    .count(),
                            closed.apply(node));
                })
                .toList();
    }

    private static boolean holdsSlot(Replica replica) {
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> true;
            case STOPPED, FAILED -> false;
        };
    }

    private static boolean counts(Replica replica) {
        return holdsSlot(replica) && replica.state() != Replica.State.DRAINING;
    }
}
