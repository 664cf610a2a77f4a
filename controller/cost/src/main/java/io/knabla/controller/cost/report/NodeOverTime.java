package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.cost.report.TimeBuckets.Part;
import io.knabla.controller.cost.scenario.CostPart;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.NodeAllocation.ReplicaCost;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Weights by which the parts of one node's bill are spread over time, in dollar-seconds: seconds at the price that held
 * then. A replica's share of its node is the same for all of its life, so these are exact, unless replicas held more
 * than their node has, which is marked as a fault.
 */
final class NodeOverTime {
    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    private final NodeAllocation allocation;

    /** By start; they do not overlap. A node that lives for months has thousands. */
    private final NavigableMap<Instant, Charge> charges = new TreeMap<>();

    private final TimeBuckets buckets;
    private final UsageIndex index;

    NodeOverTime(NodeAllocation allocation, TimeBuckets buckets, UsageIndex index) {
        this.allocation = allocation;
        this.buckets = buckets;
        this.index = index;
        allocation.bill().charges().forEach(charge -> charges.put(charge.time().start(), charge));
    }

    /** Price of the node within a time. */
    Map<Group, BigDecimal> within(Interval time) {
        Map<Group, BigDecimal> weights = new LinkedHashMap<>();
        Instant end = time.end().orElseThrow();
        Instant first = charges.floorKey(time.start());
        charges.subMap(first == null ? time.start() : first, true, end, true)
                .values()
                .forEach(charge -> charge.time()
                        .within(time.start(), end)
                        .ifPresent(part -> buckets.parts(part).forEach(bucket -> add(weights, bucket, charge))));
        return weights;
    }

    private static void add(Map<Group, BigDecimal> weights, Part bucket, Charge charge) {
        BigDecimal usd =
                UsageIndex.seconds(bucket.time()).multiply(charge.perHour().usd());
        weights.merge(bucket.group(), usd, BigDecimal::add);
    }

    /** A part of a replica's cost: its cold start before it was ready, the others evenly while it was ready. */
    Map<Group, BigDecimal> replica(UsageIndex.Life life, CostPart part) {
        return within(part == CostPart.COLD_START ? life.starting() : life.serving());
    }

    /** What the node cost without what its replicas cost. */
    Map<Group, BigDecimal> idle() {
        Map<Group, BigDecimal> left = within(index.period().settled(node()));
        BigDecimal amounts = BigDecimal.ONE;
        for (ReplicaCost cost : allocation.replicas()) {
            for (Map.Entry<CostPart, BigDecimal> part : cost.parts().entrySet()) {
                subtract(left, replica(index.life(cost.replica()), part.getKey()), part.getValue());
                amounts = amounts.add(BigDecimal.ONE);
            }
        }
        // Each amount is rounded to one unit of the last digit, so less than one unit of each is not idle time.
        BigDecimal rounding = amounts.movePointLeft(Dollars.SCALE).multiply(SECONDS_PER_HOUR);
        left.values().removeIf(weight -> weight.compareTo(rounding) <= 0);
        return left;
    }

    private static void subtract(Map<Group, BigDecimal> from, Map<Group, BigDecimal> weights, BigDecimal usd) {
        BigDecimal whole = weights.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        if (whole.signum() > 0) {
            BigDecimal scale = usd.multiply(SECONDS_PER_HOUR).divide(whole, Dollars.PRECISE);
            weights.forEach((group, weight) -> from.merge(group, weight.multiply(scale), BigDecimal::subtract));
        }
    }

    /** What interruptions are assumed to add, while the node ran; what is paid after its end, at its end. */
    Map<Group, BigDecimal> overhead() {
        NodeBill bill = allocation.bill();
        Map<Group, BigDecimal> weights = within(index.period().settled(node()));
        weights.replaceAll((group, weight) -> weight.multiply(bill.interruptionShare()));
        bill.topUp()
                .ifPresent(topUp -> node().end().ifPresent(end -> {
                    BigDecimal usd = topUp.dollarSeconds().multiply(BigDecimal.ONE.add(bill.interruptionShare()));
                    weights.merge(buckets.endingAt(end), usd, BigDecimal::add);
                }));
        return weights;
    }

    private Interval node() {
        return allocation.bill().node().time();
    }
}
