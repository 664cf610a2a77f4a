package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.util.List;
import java.util.Map;

/**
 * What scenarios are computed from: checked rows, and what they are priced with.
 *
 * @param byNode replicas by the id of their node
 */
record ScenarioInput(
        UsageCheck.Checked rows,
        Map<String, List<ReplicaInterval>> byNode,
        Replacements replacements,
        Period period,
        PriceBook book,
        ScenarioOptions options) {

    static ScenarioInput of(UsageRows rows, Period period, PriceBook book, ScenarioOptions options) {
        UsageCheck.Checked checked = UsageCheck.check(rows, period);
        return new ScenarioInput(
                checked,
                UsageCheck.byNode(checked.replicas()),
                new Replacements(checked.replicas(), period),
                period,
                book,
                options);
    }

    /** Nodes that cost something in the period: they ran in it, or ended in it. */
    List<NodeInterval> nodes() {
        return rows.nodes().values().stream()
                .filter(node -> period.part(node.time()).isPresent() || period.hasEndOf(node.time()))
                .toList();
    }

    /** Replicas that ran in the period, or ended in it. */
    List<ReplicaInterval> replicas() {
        return rows.replicas().stream()
                .filter(replica -> period.part(replica.time()).isPresent() || period.hasEndOf(replica.time()))
                .toList();
    }

    NodeAllocator.Result allocated(NodeBill bill) {
        List<ReplicaTime> times = byNode.getOrDefault(bill.node().id(), List.of()).stream()
                .map(replica -> ReplicaTime.of(
                        replica,
                        period,
                        ResourceWeights.max(replica.requested(), replica.used()),
                        replacements.overlapWithReplacement(replica)))
                .toList();
        return NodeAllocator.allocate(bill, times);
    }
}
