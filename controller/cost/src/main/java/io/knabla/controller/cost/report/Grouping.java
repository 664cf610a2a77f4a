package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Assigns the amounts and the usage of a report to its groups, by one dimension. */
interface Grouping {
    /** Groups that the report shows even if nothing is in them. */
    Collection<Group> always();

    /** Takes what a scenario takes for granted, before its lines. */
    default void assume(Scenario scenario, Assumption assumption) {}

    /** Takes a node's bill, before its lines; the bill of the node before it is no more needed. */
    default void node(Scenario scenario, NodeAllocation node) {}

    /** Dollars of a line by group; they sum to the line's exactly. Groups with none may be left out. */
    Map<Group, BigDecimal> split(Scenario scenario, CostLine line);

    /** Groups whose cost is incomplete for want of a price; at least one. */
    Collection<Group> touched(Unpriced unpriced);

    /** What a replica held, used and did in the report's period, by group. */
    Map<Group, UsageTotals> use(ReplicaInterval replica);

    /** The group of a sum of requests; empty if the sum is of no use here. */
    Optional<Group> of(RequestSum requests);

    /** Whether sums of requests tell what a replica did, so that its own counters are not needed. */
    boolean isCounted(ReplicaInterval replica);

    /** @param zone whose months, days and hours are meant */
    static Grouping of(Dimension dimension, ZoneId zone, UsageIndex index) {
        return switch (dimension) {
            case FUNCTION -> GroupingByFunction.of(index, FunctionVersion::functionName);
            case NAMESPACE -> GroupingByFunction.of(index, FunctionVersion::namespace);
            case VERSION -> GroupingByFunction.of(index, FunctionVersion::toString);
            case POOL -> new GroupingByNode(index, NodeInterval::pool);
            case CAPACITY -> new GroupingByNode(index, node -> name(node.capacity()));
            case ZONE -> new GroupingByNode(index, NodeInterval::zoneId);
            case MONTH -> new GroupingByTime(index, TimeBuckets.months(index.period(), zone));
            case DAY -> new GroupingByTime(index, TimeBuckets.days(index.period(), zone));
            case HOUR -> new GroupingByTime(index, TimeBuckets.hours(index.period(), zone));
        };
    }

    private static String name(CapacityType capacity) {
        return switch (capacity) {
            case ON_DEMAND -> "on-demand";
            case SPOT -> "spot";
        };
    }
}
