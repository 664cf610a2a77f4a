package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.util.List;

/**
 * The rows that every scenario of a report is computed from: all that overlap or end in its period.
 *
 * @param requests of the period. Where they are missing, a report shows the replicas' work in their place
 */
public record UsageRows(List<NodeInterval> nodes, List<ReplicaInterval> replicas, List<RequestSum> requests) {
    public UsageRows {
        nodes = List.copyOf(nodes);
        replicas = List.copyOf(replicas);
        requests = List.copyOf(requests);
    }

    public UsageRows(List<NodeInterval> nodes, List<ReplicaInterval> replicas) {
        this(nodes, replicas, List.of());
    }
}
