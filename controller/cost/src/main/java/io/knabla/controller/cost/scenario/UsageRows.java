package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.util.List;

/** The rows that every scenario of a report is computed from: all that overlap or end in its period. */
public record UsageRows(List<NodeInterval> nodes, List<ReplicaInterval> replicas) {
    public UsageRows {
        nodes = List.copyOf(nodes);
        replicas = List.copyOf(replicas);
    }
}
