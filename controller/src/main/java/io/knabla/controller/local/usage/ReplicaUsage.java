package io.knabla.controller.local.usage;

import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.ReplicaEnd;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Resources;
import io.knabla.controller.cost.usage.StartKind;
import io.knabla.controller.cost.usage.Work;
import io.knabla.controller.platform.Replica;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A replica of this machine and what it did until now.
 *
 * @param node id of its node in this run of the platform
 * @param retried requests sent to another replica after this one
 * @param interrupted whether its node was taken back, or was about to be, when it ended
 */
record ReplicaUsage(
        Replica replica,
        String node,
        Resources requested,
        ReplicaTotals totals,
        long retried,
        Optional<Instant> ended,
        boolean interrupted) {
    static ReplicaUsage starting(Replica replica, String node, Resources requested) {
        return new ReplicaUsage(replica, node, requested, ReplicaTotals.NONE, 0, Optional.empty(), false);
    }

    /** @param warned whether its node is about to be taken back */
    ReplicaUsage with(Replica changed, boolean warned, Instant now) {
        boolean isOver = end(changed.state(), false) != ReplicaEnd.RUNNING;
        return new ReplicaUsage(
                changed, node, requested, totals, retried, isOver ? Optional.of(now) : ended, isOver && warned);
    }

    ReplicaUsage with(ReplicaTotals reported) {
        return new ReplicaUsage(replica, node, requested, reported, retried, ended, interrupted);
    }

    ReplicaUsage withRetry() {
        return new ReplicaUsage(replica, node, requested, totals, retried + 1, ended, interrupted);
    }

    /** Its interval until now. */
    ReplicaInterval interval(Instant now) {
        Instant start = micros(replica.started());
        Interval time =
                new Interval(start, ended.map(ReplicaUsage::micros).map(end -> end.isBefore(start) ? start : end));
        return new ReplicaInterval(
                replica.id(),
                replica.function().namespace(),
                replica.function().name(),
                replica.version(),
                node,
                requested,
                used(time.duration(now)),
                time,
                startKind(),
                phases(),
                Work.of(totals, retried),
                end(replica.state(), interrupted));
    }

    private StartKind startKind() {
        return switch (replica.start()) {
            case COLD -> StartKind.COLD;
            case POOLED -> StartKind.POOLED;
        };
    }

    private Resources used(Duration life) {
        BigDecimal cpus = life.isPositive()
                ? BigDecimal.valueOf(totals.cpuMillis())
                        .divide(BigDecimal.valueOf(life.toNanos()).movePointLeft(6), 6, RoundingMode.HALF_UP)
                : BigDecimal.ZERO;
        return new Resources(
                cpus, totals.residentBytes(), totals.cpuMillis() == 0 ? BigDecimal.ZERO : requested.gpus());
    }

    private Map<String, Duration> phases() {
        return replica.phases().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, phase -> Duration.ofNanos(Math.max(0, Math.round(phase.getValue() * 1e6)))));
    }

    private static ReplicaEnd end(Replica.State state, boolean interrupted) {
        return switch (state) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> ReplicaEnd.RUNNING;
            case STOPPED -> interrupted ? ReplicaEnd.INTERRUPTED : ReplicaEnd.STOPPED;
            case FAILED -> interrupted ? ReplicaEnd.INTERRUPTED : ReplicaEnd.FAILED;
        };
    }

    /** The precision that the ledger keeps. */
    private static Instant micros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
