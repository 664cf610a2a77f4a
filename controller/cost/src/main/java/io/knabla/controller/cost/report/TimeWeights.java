package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits each amount of one scenario over months, days or hours; the parts sum exactly to the amount.
 *
 * <p>Amounts of nodes follow the node's prices, see {@link NodeOverTime}. Those of offers without nodes are spread
 * evenly over the time in which the replica was ready, its cold start over the time in which it started, and what is
 * paid after its end counts at its end.
 */
final class TimeWeights {
    private final TimeBuckets buckets;
    private final UsageIndex index;
    private final Map<String, NodeOverTime> nodes = new HashMap<>();
    private final Map<String, BigDecimal> committed = new HashMap<>();
    private final IdleCapacity unheld;

    TimeWeights(TimeBuckets buckets, UsageIndex index) {
        this.buckets = buckets;
        this.index = index;
        this.unheld = new IdleCapacity(index, buckets);
    }

    /** Of all nodes of a result. */
    static TimeWeights of(ScenarioResult result, TimeBuckets buckets, UsageIndex index) {
        TimeWeights weights = new TimeWeights(buckets, index);
        result.assumptions().forEach(weights::assume);
        result.nodes().forEach(weights::add);
        return weights;
    }

    void assume(Assumption assumption) {
        Assumption.Kind kind = assumption.kind();
        if (kind == Assumption.Kind.COMMITTED_STATED || kind == Assumption.Kind.COMMITTED_PEAK) {
            committed.put(assumption.subject(), assumption.value());
        }
    }

    private void add(NodeAllocation node) {
        nodes.put(node.bill().node().id(), new NodeOverTime(node, buckets, index));
    }

    /** Lines of this node come next. */
    void only(NodeAllocation node) {
        nodes.clear();
        add(node);
    }

    /** The line's dollars by bucket; empty if it has none. */
    Map<Group, BigDecimal> split(CostLine line) {
        if (line.usd().signum() == 0) {
            return Map.of();
        }
        Map<Group, BigDecimal> weights = positive(weights(line));
        weights = weights.isEmpty() ? positive(wholeTime(line)) : weights;
        if (weights.isEmpty()) {
            return Map.of(buckets.first(), line.usd());
        }
        Iterator<BigDecimal> amounts =
                Dollars.split(line.usd(), List.copyOf(weights.values())).iterator();
        weights.replaceAll((group, weight) -> amounts.next());
        return weights;
    }

    private static Map<Group, BigDecimal> positive(Map<Group, BigDecimal> weights) {
        Map<Group, BigDecimal> positive = new LinkedHashMap<>(weights);
        positive.values().removeIf(weight -> weight.signum() <= 0);
        return positive;
    }

    private Map<Group, BigDecimal> weights(CostLine line) {
        return switch (line.part()) {
            case USE, COLD_START, IDLE_WHILE_READY, OVER_PROVISION, INTERRUPTION -> ofReplica(line);
            case NODE_IDLE -> nodes.get(line.row()).idle();
            case OVERHEAD -> overhead(line);
            case UNUSED_COMMITMENT -> unheld.commitment(line.row(), committed.getOrDefault(line.row(), BigDecimal.ONE));
            case KEPT_WARM -> line.function().map(unheld::withoutReplica).orElse(Map.of());
        };
    }

    private Map<Group, BigDecimal> ofReplica(CostLine line) {
        return index.replica(line.row())
                .map(replica -> ofReplica(replica, index.life(replica), line))
                .orElse(Map.of());
    }

    private Map<Group, BigDecimal> ofReplica(ReplicaInterval replica, UsageIndex.Life life, CostLine line) {
        NodeOverTime node = nodes.get(replica.node());
        if (node != null) {
            return node.replica(life, line.part());
        }
        return switch (line.part()) {
            case COLD_START -> buckets.seconds(life.starting());
            case OVERHEAD ->
                index.period().hasEndOf(replica.time())
                        ? Map.of(buckets.endingAt(life.end()), BigDecimal.ONE)
                        : buckets.seconds(life.whole());
            case USE, IDLE_WHILE_READY, OVER_PROVISION, INTERRUPTION, NODE_IDLE, UNUSED_COMMITMENT, KEPT_WARM ->
                buckets.seconds(life.serving());
        };
    }

    private Map<Group, BigDecimal> overhead(CostLine line) {
        NodeOverTime node = nodes.get(line.row());
        return node == null ? ofReplica(line) : node.overhead();
    }

    /** For amounts without a time of their own, such as work of a replica that never was ready. */
    private Map<Group, BigDecimal> wholeTime(CostLine line) {
        Map<Group, BigDecimal> life = index.replica(line.row())
                .map(index::life)
                .map(time -> buckets.seconds(time.whole()))
                .orElse(Map.of());
        return life.isEmpty() ? index.period().over().map(buckets::seconds).orElse(Map.of()) : life;
    }
}
