package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Period;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What scenarios are computed from: checked rows, and what they are priced with.
 *
 * @param nodes that cost something in the period: they ran in it, or ended in it
 * @param replicas that ran in the period, or ended in it
 * @param byNode all replicas by the id of their node
 */
record ScenarioInput(
        CheckedUsage rows,
        List<NodeInterval> nodes,
        List<ReplicaInterval> replicas,
        Map<String, List<ReplicaInterval>> byNode,
        Replacements replacements,
        Period period,
        PriceBook book,
        ScenarioOptions options) {
    static ScenarioInput of(CheckedUsage rows, Period period, PriceBook book, ScenarioOptions options) {
        return new ScenarioInput(
                rows,
                rows.nodes().values().stream()
                        .filter(node -> counts(node.time(), period))
                        .toList(),
                rows.replicas().stream()
                        .filter(replica -> counts(replica.time(), period))
                        .toList(),
                rows.replicas().stream().collect(Collectors.groupingBy(ReplicaInterval::node)),
                new Replacements(rows.replicas(), period),
                period,
                book,
                options);
    }

    private static boolean counts(Interval time, Period period) {
        return period.part(time).isPresent() || period.hasEndOf(time);
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
