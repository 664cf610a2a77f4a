package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds when nothing ran: committed instances without a node, and versions without a replica. */
final class UnheldTime {
    private final UsageIndex index;
    private final TimeBuckets buckets;

    UnheldTime(UsageIndex index, TimeBuckets buckets) {
        this.index = index;
        this.buckets = buckets;
    }

    /**
     * Instance-seconds of a commitment that no node had.
     *
     * @param kind instance type and region, as the line of the cost names them
     */
    Map<Group, BigDecimal> commitment(String kind, ScenarioResult result) {
        BigDecimal instances = result.assumptions().stream()
                .filter(assumption -> assumption.kind() == Assumption.Kind.COMMITTED_STATED
                        || assumption.kind() == Assumption.Kind.COMMITTED_PEAK)
                .filter(assumption -> assumption.subject().equals(kind))
                .map(Assumption::value)
                .findFirst()
                .orElse(BigDecimal.ONE);
        List<Interval> held = inPeriod(index.nodes().stream()
                .filter(node -> kind.equals(node.instanceType() + " " + node.region()))
                .map(node -> index.period().settled(node.time())));
        return unheld(instances, held);
    }

    /** Seconds in which no replica of a version ran. */
    Map<Group, BigDecimal> withoutReplica(FunctionVersion version) {
        List<Interval> held = inPeriod(index.replicas().stream()
                .filter(replica -> FunctionVersion.of(replica).equals(version))
                .flatMap(replica -> index.life(replica).stream())
                .map(UsageIndex.Life::whole));
        return unheld(BigDecimal.ONE, held);
    }

    private List<Interval> inPeriod(Stream<Interval> times) {
        return times.flatMap(time -> index.period().part(time).stream()).toList();
    }

    private Map<Group, BigDecimal> unheld(BigDecimal most, List<Interval> held) {
        Map<Group, BigDecimal> weights = new LinkedHashMap<>();
        index.period().over().ifPresent(over -> {
            TreeSet<Instant> changes =
                    new TreeSet<>(List.of(over.start(), over.end().orElseThrow()));
            held.forEach(time -> changes.addAll(List.of(time.start(), time.end().orElseThrow())));
            for (Instant from = changes.first(); changes.higher(from) != null; from = changes.higher(from)) {
                Interval slice = Interval.of(from, changes.higher(from));
                BigDecimal free = most.subtract(BigDecimal.valueOf(overlapping(held, slice)));
                buckets.seconds(slice)
                        .forEach((group, seconds) ->
                                weights.merge(group, seconds.multiply(free.max(BigDecimal.ZERO)), BigDecimal::add));
            }
        });
        return weights;
    }

    private static long overlapping(List<Interval> held, Interval slice) {
        return held.stream()
                .filter(time ->
                        time.within(slice.start(), slice.end().orElseThrow()).isPresent())
                .count();
    }
}
