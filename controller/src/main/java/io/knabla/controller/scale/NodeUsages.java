package io.knabla.controller.scale;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Workload;
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
        List<Workload> workloads = cluster.workloads();
        return cluster.nodes().stream()
                .map(node -> new NodeUsage(
                        node,
                        (int) workloads.stream()
                                .filter(workload -> workload.node().equals(node.name()))
                                .count(),
                        (int) replicas.stream()
                                .filter(replica -> replica.node().equals(node.name()))
                                .filter(version::owns)
                                .filter(NodeUsages::counts)
                                .count(),
                        closed.apply(node)))
                .toList();
    }

    private static boolean counts(Replica replica) {
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE -> true;
            case DRAINING, STOPPED, FAILED -> false;
        };
    }
}
