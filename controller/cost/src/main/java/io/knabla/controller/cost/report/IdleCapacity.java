package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the hours that a scenario pays although nothing ran: committed instances without a node, functions without a
 * replica.
 */
final class IdleCapacity {
    private final UsageIndex index;
    private final TimeBuckets buckets;

    IdleCapacity(UsageIndex index, TimeBuckets buckets) {
        this.index = index;
        this.buckets = buckets;
    }

    /**
     * Instance-seconds of a commitment that no node had.
     *
     * @param kind instance type and region, as the line of the cost names them
     * @param instances that are committed
     */
    Map<Group, BigDecimal> commitment(String kind, BigDecimal instances) {
        List<Interval> held = inPeriod(index.nodes().stream()
                .filter(node -> kind.equals(node.instanceType() + " " + node.region()))
                .map(node -> index.period().settled(node.time())));
        return index.period().over().map(over -> unheld(over, instances, held)).orElse(Map.of());
    }

    /**
     * Seconds since a function's first replica in which no version of it had one; changes of a price in that time are
     * not followed.
     */
    Map<Group, BigDecimal> withoutReplica(FunctionVersion version) {
        List<Interval> lives = index.replicas().stream()
                .filter(replica -> FunctionVersion.of(replica).functionName().equals(version.functionName()))
                .map(index::life)
                .map(UsageIndex.Life::whole)
                .toList();
        Optional<Instant> first = lives.stream().map(Interval::start).min(Comparator.naturalOrder());
        return index.period()
                .over()
                .flatMap(over ->
                        over.within(first.orElse(over.start()), over.end().orElseThrow()))
                .map(since -> unheld(since, BigDecimal.ONE, inPeriod(lives.stream())))
                .orElse(Map.of());
    }

    private List<Interval> inPeriod(Stream<Interval> times) {
        return times.flatMap(time -> index.period().part(time).stream()).toList();
    }

    private Map<Group, BigDecimal> unheld(Interval time, BigDecimal most, List<Interval> held) {
        Map<Group, BigDecimal> weights = new LinkedHashMap<>();
        NavigableMap<Instant, Integer> changes = changes(time, held);
        int running = 0;
        for (Instant from = changes.firstKey(); changes.higherKey(from) != null; from = changes.higherKey(from)) {
            running += changes.get(from);
            BigDecimal free = most.subtract(BigDecimal.valueOf(running)).max(BigDecimal.ZERO);
            buckets.seconds(Interval.of(from, changes.higherKey(from)))
                    .forEach((group, seconds) -> weights.merge(group, seconds.multiply(free), BigDecimal::add));
        }
        return weights;
    }

    /** By how many the number of those that run changes. */
    private static NavigableMap<Instant, Integer> changes(Interval over, List<Interval> held) {
        NavigableMap<Instant, Integer> changes = new TreeMap<>();
        changes.put(over.start(), 0);
        changes.put(over.end().orElseThrow(), 0);
        for (Interval time : held) {
            changes.merge(time.start(), 1, Integer::sum);
            changes.merge(time.end().orElseThrow(), -1, Integer::sum);
        }
        return changes;
    }
}
