package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the time in which an interrupted replica ran beside its replacement: a replica of the same version that was
 * started after the notice, 120 seconds before the end; see <a
 * href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html">Spot Instance
 * interruption notices</a>. Only time in which both were ready is doubled.
 */
final class Replacements {
    static final Duration NOTICE = Duration.ofSeconds(120);

    private final Period period;
    private final Map<FunctionVersion, TreeMap<Instant, List<ReplicaInterval>>> byStart;

    Replacements(List<ReplicaInterval> replicas, Period period) {
        this.period = period;
        Set<FunctionVersion> interrupted = replicas.stream()
                .filter(row -> row.end() == ReplicaEnd.INTERRUPTED)
                .map(FunctionVersion::of)
                .collect(Collectors.toSet());
        this.byStart = replicas.stream()
                .filter(row -> interrupted.contains(FunctionVersion.of(row)))
                .collect(Collectors.groupingBy(
                        FunctionVersion::of,
                        Collectors.groupingBy(row -> row.time().start(), TreeMap::new, Collectors.toList())));
    }

    Optional<Interval> overlapWithReplacement(ReplicaInterval replica) {
        if (replica.end() != ReplicaEnd.INTERRUPTED) {
            return Optional.empty();
        }
        Instant end = period.settled(replica.time()).end().orElseThrow();
        Instant notice = end.minus(NOTICE);
        return byStart.get(FunctionVersion.of(replica)).subMap(notice, true, end, false).values().stream()
                .flatMap(List::stream)
                .filter(other -> !other.id().equals(replica.id()))
                .flatMap(other -> ready(other).within(notice, end).stream())
                .min((one, other) -> one.start().compareTo(other.start()))
                .flatMap(first -> Interval.of(first.start(), end).within(first.start(), end));
    }

    private Interval ready(ReplicaInterval replica) {
        Interval time = period.settled(replica.time());
        Instant ready = replica.time().start().plus(replica.startTime());
        Instant end = time.end().orElseThrow();
        return Interval.of(ready.isBefore(end) ? ready : end, end);
    }
}
