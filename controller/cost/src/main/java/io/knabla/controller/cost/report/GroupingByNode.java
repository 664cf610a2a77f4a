package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Groups by the nodes that replicas ran on, in the scenarios without nodes as well. */
record GroupingByNode(UsageIndex index, Function<NodeInterval, String> name) implements Grouping {
    @Override
    public Collection<Group> always() {
        return List.of();
    }

    @Override
    public Map<Group, BigDecimal> split(Scenario scenario, CostLine line) {
        return Map.of(group(line.row()), line.usd());
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        return List.of(group(unpriced.row()));
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        return Map.of(group(replica), index.use(replica));
    }

    /** Sums of requests do not tell the node. */
    @Override
    public Optional<Group> of(RequestSum requests) {
        return Optional.empty();
    }

    @Override
    public boolean isCounted(ReplicaInterval replica) {
        return false;
    }

    private Group group(String row) {
        return index.node(row)
                .map(this::group)
                .or(() -> index.replica(row).map(this::group))
                .orElse(Group.IDLE);
    }

    private Group group(ReplicaInterval replica) {
        return index.nodeOf(replica).map(this::group).orElse(Group.UNKNOWN);
    }

    private Group group(NodeInterval node) {
        return Group.named(name.apply(node));
    }
}
