package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.scenario.UsageSummary;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rows of usage by id, cut as the scenarios cut them: the first row of an id counts, a replica ends with its node. */
final class UsageIndex {
    private final Period period;
    private final Map<String, NodeInterval> nodes;
    private final Map<String, ReplicaInterval> replicas;
    private final Map<String, List<ReplicaInterval>> byNode;

    UsageIndex(UsageRows rows, Period period) {
        this.period = period;
        this.nodes = firstById(rows.nodes(), NodeInterval::id);
        this.replicas = firstById(rows.replicas(), ReplicaInterval::id);
        this.byNode = replicas.values().stream().collect(Collectors.groupingBy(ReplicaInterval::node));
    }

    /** A replica's time, which may begin before and end after the report's period. */
    record Life(Instant start, Instant ready, Instant end) {
        Interval whole() {
            return Interval.of(start, end);
        }

        Interval starting() {
            return Interval.of(start, ready);
        }

        Interval serving() {
            return Interval.of(ready, end);
        }
    }

    Period period() {
        return period;
    }

    Collection<NodeInterval> nodes() {
        return nodes.values();
    }

    Collection<ReplicaInterval> replicas() {
        return replicas.values();
    }

    Optional<NodeInterval> node(String id) {
        return Optional.ofNullable(nodes.get(id));
    }

    Optional<ReplicaInterval> replica(String id) {
        return Optional.ofNullable(replicas.get(id));
    }

    Optional<NodeInterval> nodeOf(ReplicaInterval replica) {
        return node(replica.node());
    }

    /** Replicas of a node that ran in this time. */
    List<ReplicaInterval> replicasOn(String node, Interval time) {
        Interval settled = period.settled(time);
        return byNode.getOrDefault(node, List.of()).stream()
                .filter(replica -> life(replica)
                        .flatMap(life -> life.whole()
                                .within(settled.start(), settled.end().orElseThrow()))
                        .isPresent())
                .toList();
    }

    /** The replica's time, cut to its node's; empty if nothing of it remains. */
    Optional<Life> life(ReplicaInterval replica) {
        Interval time = period.settled(replica.time());
        Interval limit =
                nodeOf(replica).map(node -> period.settled(node.time())).orElse(time);
        Instant start = later(time.start(), limit.start());
        Instant end = earlier(time.end().orElseThrow(), limit.end().orElseThrow());
        return end.isBefore(start)
                ? Optional.empty()
                : Optional.of(new Life(start, earlier(start.plus(startTime(replica)), end), end));
    }

    /** What a replica held, used and did in a part of the report's period. */
    UsageTotals use(ReplicaInterval replica, Interval part) {
        Period only = new Period(part.start(), part.end().orElseThrow(), period.readAt());
        UsageRows row = new UsageRows(nodeOf(replica).stream().toList(), List.of(replica));
        UsageSummary summary = UsageSummary.of(row, only).get(FunctionVersion.of(replica));
        return summary == null
                ? UsageTotals.NONE
                : new UsageTotals(seconds(replica, only), summary.requested(), summary.used(), summary.work());
    }

    private BigDecimal seconds(ReplicaInterval replica, Period part) {
        return life(replica)
                .flatMap(life -> part.part(life.whole()))
                .map(UsageIndex::seconds)
                .orElse(BigDecimal.ZERO);
    }

    static BigDecimal seconds(Interval time) {
        return Dollars.seconds(Duration.between(time.start(), time.end().orElseThrow()));
    }

    private static Duration startTime(ReplicaInterval replica) {
        return replica.startPhases().values().stream()
                .filter(Duration::isPositive)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static <T> Map<String, T> firstById(List<T> rows, Function<T, String> id) {
        Map<String, T> byId = new LinkedHashMap<>();
        rows.forEach(row -> byId.putIfAbsent(id.apply(row), row));
        return byId;
    }
}
