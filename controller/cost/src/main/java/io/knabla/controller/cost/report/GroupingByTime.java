package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Groups by months, days or hours. An amount that spans several is split. */
final class GroupingByTime implements Grouping {
    private final UsageIndex index;
    private final TimeBuckets buckets;
    private final boolean counted;
    private final Map<Scenario, TimeWeights> weights = new EnumMap<>(Scenario.class);

    GroupingByTime(UsageIndex index, TimeBuckets buckets) {
        this.index = index;
        this.buckets = buckets;
        this.counted = index.requests().stream().anyMatch(RequestSum.OfQuarterHour.class::isInstance);
    }

    private TimeWeights weights(Scenario scenario) {
        return weights.computeIfAbsent(scenario, any -> new TimeWeights(buckets, index));
    }

    @Override
    public Collection<Group> always() {
        return buckets.groups();
    }

    @Override
    public void assume(Scenario scenario, Assumption assumption) {
        weights(scenario).assume(assumption);
    }

    @Override
    public void node(Scenario scenario, NodeAllocation node) {
        weights(scenario).only(node);
    }

    @Override
    public Map<Group, BigDecimal> split(Scenario scenario, CostLine line) {
        return weights(scenario).split(line);
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        return buckets.touched(index.period().settled(unpriced.time()));
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        Map<Group, UsageTotals> use = new LinkedHashMap<>();
        buckets.parts(index.life(replica).whole())
                .forEach(part -> use.put(
                        part.group(), index.use(replica, part.group().time().orElseThrow())));
        return use;
    }

    /** A quarter of an hour that the period begins within counts for the period's first month, day or hour. */
    @Override
    public Optional<Group> of(RequestSum requests) {
        return switch (requests) {
            case RequestSum.OfVersion sum -> Optional.empty();
            case RequestSum.OfQuarterHour sum ->
                Optional.of(buckets.endingAt(sum.start().plusNanos(1)));
        };
    }

    @Override
    public boolean isCounted(ReplicaInterval replica) {
        return counted;
    }
}
