package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows of usage after repair.
 *
 * @param nodes by id
 * @param replicas each within its node's time, or of an unknown node; without negative durations and counters
 * @param faults what was repaired
 */
public record CheckedUsage(
        Map<String, NodeInterval> nodes,
        List<ReplicaInterval> replicas,
        List<RequestSum> requests,
        List<Fault> faults) {
    /** Checks rows once; all scenarios and tables of a report may share the result. */
    public static CheckedUsage of(UsageRows rows, Period period) {
        return UsageCheck.check(rows, period);
    }

    public Optional<NodeInterval> nodeOf(ReplicaInterval replica) {
        return Optional.ofNullable(nodes.get(replica.node()));
    }
}
