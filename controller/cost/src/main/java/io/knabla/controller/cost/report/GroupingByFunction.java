package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Groups by whose replicas they are. A node without a price leaves all that ran on it incomplete. */
record GroupingByFunction(UsageIndex index, Function<FunctionVersion, String> name) implements Grouping {
    @Override
    public Collection<Group> always() {
        return List.of();
    }

    @Override
    public Map<Group, BigDecimal> split(ScenarioResult result, CostLine line) {
        return Map.of(line.function().map(this::group).orElse(Group.IDLE), line.usd());
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        Set<Group> groups = new LinkedHashSet<>();
        index.replica(unpriced.row()).map(this::group).ifPresent(groups::add);
        index.replicasOn(unpriced.row(), unpriced.time()).stream()
                .map(this::group)
                .forEach(groups::add);
        if (groups.isEmpty() || index.node(unpriced.row()).isPresent()) {
            groups.add(Group.IDLE);
        }
        return groups;
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        Interval all = Interval.of(index.period().from(), index.period().until());
        return Map.of(group(replica), index.use(replica, all));
    }

    private Group group(ReplicaInterval replica) {
        return group(FunctionVersion.of(replica));
    }

    private Group group(FunctionVersion version) {
        return Group.named(name.apply(version));
    }
}
