package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Groups amounts by version and hour of UTC: a group has the version's name, or is called {@link Group#IDLE}, and has
 * the hour's time. Usage is not grouped.
 */
final class GroupingByVersionAndHour implements Grouping {
    private final Grouping versions;
    private final Grouping hours;

    GroupingByVersionAndHour(UsageIndex index) {
        this.versions = GroupingByFunction.of(index, FunctionVersion::toString);
        this.hours = new GroupingByTime(index, TimeBuckets.hours(index.period(), ZoneOffset.UTC));
    }

    private static Group in(Group version, Group hour) {
        return new Group(version.name(), hour.time());
    }

    @Override
    public Collection<Group> always() {
        return List.of();
    }

    @Override
    public void assume(Scenario scenario, Assumption assumption) {
        hours.assume(scenario, assumption);
    }

    @Override
    public void node(Scenario scenario, NodeAllocation node) {
        hours.node(scenario, node);
    }

    @Override
    public Map<Group, BigDecimal> split(Scenario scenario, CostLine line) {
        Map<Group, BigDecimal> split = new LinkedHashMap<>();
        for (Group version : versions.split(scenario, line).keySet()) {
            hours.split(scenario, line).forEach((hour, usd) -> split.put(in(version, hour), usd));
        }
        return split;
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        Collection<Group> touched = hours.touched(unpriced);
        return versions.touched(unpriced).stream()
                .flatMap(version -> touched.stream().map(hour -> in(version, hour)))
                .toList();
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        return Map.of();
    }

    @Override
    public Optional<Group> of(RequestSum requests) {
        return Optional.empty();
    }

    @Override
    public boolean isCounted(ReplicaInterval replica) {
        return false;
    }
}
