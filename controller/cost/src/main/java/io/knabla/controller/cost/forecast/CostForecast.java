package io.knabla.controller.cost.forecast;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prices a steady load over a month, by usage rows of that load and the scenarios of a report.
 *
 * @param replicas that the load needs
 * @param nodes that hold them, paid in full
 * @param results of every scenario
 */
public record CostForecast(int replicas, int nodes, Period month, List<ScenarioResult> results) {
    /** A replica is busy for this share of its time, so that it has room for bursts. */
    public static final BigDecimal UTILIZATION = new BigDecimal("0.7");

    public static final int MOST_REPLICAS = 10_000;

    private static final BigDecimal MILLIS = BigDecimal.valueOf(1000);

    public CostForecast {
        results = List.copyOf(results);
    }

    /**
     * A steady load of one function.
     *
     * @param perSecond requests
     * @param seconds that one request takes
     * @param replica what a replica reserves; it answers one request at a time
     */
    public record Load(BigDecimal perSecond, BigDecimal seconds, Resources replica) {
        /** By Little's law; more than {@link #MOST_REPLICAS} are not forecast. */
        BigDecimal replicas() {
            return perSecond
                    .multiply(seconds)
                    .divide(UTILIZATION, 0, RoundingMode.CEILING)
                    .max(BigDecimal.ONE);
        }
    }

    /**
     * @param node an example of the nodes to run on: its size, instance type, region and zone count
     * @param month whose prices and length count
     * @throws IllegalArgumentException if a replica does not fit on such a node, or the load is too large; it says why
     */
    public static CostForecast of(Load load, NodeInterval node, Period month, PriceBook book, ScenarioOptions options) {
        BigDecimal needed = load.replicas();
        if (needed.compareTo(BigDecimal.valueOf(MOST_REPLICAS)) > 0) {
            throw new IllegalArgumentException("this load needs %s replicas; a forecast has %d at most"
                    .formatted(needed.toPlainString(), MOST_REPLICAS));
        }
        int replicas = needed.intValueExact();
        int perNode = fitting(load.replica(), node);
        int nodes = Math.ceilDiv(replicas, perNode);
        UsageRows rows = rows(load, node, month, replicas, perNode);
        return new CostForecast(replicas, nodes, month, Scenarios.all(rows, month, book, options));
    }

    private static int fitting(Resources replica, NodeInterval node) {
        Resources size = node.size();
        long fitting = MOST_REPLICAS;
        if (replica.vcpus().signum() > 0) {
            fitting = Math.min(
                    fitting, size.vcpus().divideToIntegralValue(replica.vcpus()).longValue());
        }
        if (replica.memoryBytes() > 0) {
            fitting = Math.min(fitting, size.memoryBytes() / replica.memoryBytes());
        }
        if (replica.hasGpu()) {
            fitting = Math.min(
                    fitting, size.gpus().divideToIntegralValue(replica.gpus()).longValue());
        }
        if (fitting == 0) {
            throw new IllegalArgumentException("a replica needs %s, but %s has %s; choose a larger node"
                    .formatted(replica, node.instanceType(), size));
        }
        return (int) fitting;
    }

    private static UsageRows rows(Load load, NodeInterval node, Period month, int replicas, int perNode) {
        Interval time = Interval.of(month.from(), month.until());
        BigDecimal seconds = Dollars.seconds(Duration.between(month.from(), month.until()));
        long requests = load.perSecond()
                .multiply(seconds)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
        List<NodeInterval> nodes = new ArrayList<>();
        List<ReplicaInterval> rows = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            String on = "node-" + i / perNode;
            if (i % perNode == 0) {
                nodes.add(like(node, on, time));
            }
            long answered = requests / replicas + (i < requests % replicas ? 1 : 0);
            rows.add(replica("replica-" + i, on, load, time, answered));
        }
        return new UsageRows(nodes, rows);
    }

    private static NodeInterval like(NodeInterval node, String id, Interval time) {
        return new NodeInterval(
                id,
                id,
                node.pool(),
                CapacityType.ON_DEMAND,
                node.instanceType(),
                node.region(),
                node.zoneId(),
                node.size(),
                time,
                NodeEnd.RELEASED);
    }

    private static ReplicaInterval replica(String id, String node, Load load, Interval time, long requests) {
        long busy = load.seconds()
                .multiply(MILLIS)
                .multiply(BigDecimal.valueOf(requests))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
        return new ReplicaInterval(
                id,
                "default",
                "forecast",
                1,
                node,
                load.replica(),
                load.replica(),
                time,
                StartKind.COLD,
                Map.of(),
                new Work(requests, 0, 0, 0, busy),
                ReplicaEnd.STOPPED);
    }
}
