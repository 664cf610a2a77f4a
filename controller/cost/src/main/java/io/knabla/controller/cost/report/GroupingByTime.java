package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Groups by days or hours. An amount that spans several is split. */
final class GroupingByTime implements Grouping {
    private final UsageIndex index;
    private final TimeBuckets buckets;
    private final Map<Scenario, TimeWeights> weights;

    GroupingByTime(UsageIndex index, List<ScenarioResult> results, TimeBuckets buckets) {
        this.index = index;
        this.buckets = buckets;
        this.weights = results.stream()
                .collect(Collectors.toMap(ScenarioResult::scenario, result -> new TimeWeights(result, buckets, index)));
    }

    @Override
    public Collection<Group> always() {
        return buckets.groups();
    }

    @Override
    public Map<Group, BigDecimal> split(ScenarioResult result, CostLine line) {
        return weights.get(result.scenario()).split(line);
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        return buckets.touched(index.period().settled(unpriced.time()));
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        Map<Group, UsageTotals> use = new LinkedHashMap<>();
        index.life(replica)
                .ifPresent(life -> buckets.parts(life.whole())
                        .forEach(part -> use.put(
                                part.group(),
                                index.use(replica, part.group().time().orElseThrow()))));
        return use;
    }
}
