package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.usage.CapacityType;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Assigns the amounts and the usage of a report to its groups, by one dimension. */
interface Grouping {
    /** Groups that the report shows even if nothing is in them. */
    Collection<Group> always();

    /** Dollars of a line by group; they sum to the line's exactly. Groups with none may be left out. */
    Map<Group, BigDecimal> split(ScenarioResult result, CostLine line);

    /** Groups whose cost is incomplete for want of a price; at least one. */
    Collection<Group> touched(Unpriced unpriced);

    /** What a replica held, used and did in the report's period, by group. */
    Map<Group, UsageTotals> use(ReplicaInterval replica);

    /** @param zone whose days and hours are meant */
    static Grouping of(Dimension dimension, ZoneId zone, UsageIndex index, List<ScenarioResult> results) {
        return switch (dimension) {
            case FUNCTION -> new GroupingByFunction(index, FunctionVersion::functionName);
            case NAMESPACE -> new GroupingByFunction(index, FunctionVersion::namespace);
            case VERSION -> new GroupingByFunction(index, FunctionVersion::toString);
            case POOL -> new GroupingByNode(index, NodeInterval::pool);
            case CAPACITY -> new GroupingByNode(index, node -> name(node.capacity()));
            case ZONE -> new GroupingByNode(index, NodeInterval::zoneId);
            case DAY -> new GroupingByTime(index, results, TimeBuckets.days(index.period(), zone));
            case HOUR -> new GroupingByTime(index, results, TimeBuckets.hours(index.period(), zone));
        };
    }

    private static String name(CapacityType capacity) {
        return switch (capacity) {
            case ON_DEMAND -> "on-demand";
            case SPOT -> "spot";
        };
    }
}
