package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.CheckedUsage;
import io.knabla.controller.cost.scenario.UsageSummary;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checked rows of usage by id. */
final class UsageIndex {
    private final Period period;
    private final CheckedUsage usage;
    private final Map<String, ReplicaInterval> replicas;
    private final Map<String, List<ReplicaInterval>> byNode;
    private ReplicaInterval lastAsked;
    private UsageTotals lastUse;

    UsageIndex(CheckedUsage usage, Period period) {
        this.period = period;
        this.usage = usage;
        this.replicas = usage.replicas().stream()
                .collect(Collectors.toMap(ReplicaInterval::id, Function.identity(), (one, other) -> one, HashMap::new));
        this.byNode = usage.replicas().stream().collect(Collectors.groupingBy(ReplicaInterval::node));
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
        return usage.nodes().values();
    }

    Collection<ReplicaInterval> replicas() {
        return usage.replicas();
    }

    Optional<NodeInterval> node(String id) {
        return Optional.ofNullable(usage.nodes().get(id));
    }

    Optional<ReplicaInterval> replica(String id) {
        return Optional.ofNullable(replicas.get(id));
    }

    Optional<NodeInterval> nodeOf(ReplicaInterval replica) {
        return usage.nodeOf(replica);
    }

    /** What the replicas did by their counters of each minute; empty if there are none of the period. */
    List<RequestSum> requests() {
        return usage.requests();
    }

    /** Replicas of a node that ran in this time. */
    List<ReplicaInterval> replicasOn(String node, Interval time) {
        Interval settled = period.settled(time);
        return byNode.getOrDefault(node, List.of()).stream()
                .filter(replica -> life(replica)
                        .whole()
                        .within(settled.start(), settled.end().orElseThrow())
                        .isPresent())
                .toList();
    }

    Life life(ReplicaInterval replica) {
        Interval time = period.settled(replica.time());
        Instant ready = time.start().plus(replica.startTime());
        Instant end = time.end().orElseThrow();
        return new Life(time.start(), ready.isBefore(end) ? ready : end, end);
    }

    /** What a replica held, used and did in the report's period; several tables ask for the same one in turn. */
    UsageTotals use(ReplicaInterval replica) {
        if (lastAsked != replica) {
            lastUse = use(replica, Interval.of(period.from(), period.until()));
            lastAsked = replica;
        }
        return lastUse;
    }

    /** What a replica held, used and did in a part of the report's period. */
    UsageTotals use(ReplicaInterval replica, Interval part) {
        Period only = new Period(part.start(), part.end().orElseThrow(), period.readAt());
        return only.part(replica.time())
                .flatMap(ran -> UsageSummary.of(replica, only)
                        .map(summary ->
                                new UsageTotals(seconds(ran), summary.requested(), summary.used(), summary.work())))
                .orElse(UsageTotals.NONE);
    }

    static BigDecimal seconds(Interval time) {
        return Dollars.seconds(Duration.between(time.start(), time.end().orElseThrow()));
    }
}
