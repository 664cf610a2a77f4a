package io.knabla.controller.local.usage;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
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
 * A workload of this machine and what it did until now.
 *
 * @param node id of its node in this run of the platform
 * @param phases milliseconds of each phase of its start
 * @param retried requests sent to another replica after this one
 * @param ended when its process ended; empty while it runs
 * @param end {@link ReplicaEnd#INTERRUPTED} if its node was taken back, or was about to be, when it ended
 */
record WorkloadUsage(
        Workload workload,
        String node,
        Resources requested,
        Instant started,
        StartKind startKind,
        Map<String, Double> phases,
        ReplicaTotals totals,
        long retried,
        Optional<Instant> ended,
        ReplicaEnd end) {
    static WorkloadUsage starting(Workload workload, String node, Resources requested, Instant started) {
        return new WorkloadUsage(
                workload,
                node,
                requested,
                started,
                StartKind.COLD,
                Map.of(),
                ReplicaTotals.NONE,
                0,
                Optional.empty(),
                ReplicaEnd.RUNNING);
    }

    /** @param warned whether its node is about to be taken back */
    WorkloadUsage with(Replica replica, boolean warned, Instant now) {
        WorkloadUsage changed = new WorkloadUsage(
                workload,
                node,
                requested,
                started,
                startKind(replica.start()),
                replica.phases(),
                totals,
                retried,
                ended,
                end);
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> changed;
            case STOPPED -> changed.ended(ReplicaEnd.STOPPED, warned, now);
            case FAILED -> changed.ended(ReplicaEnd.FAILED, warned, now);
        };
    }

    /** @param warned whether its node is about to be taken back */
    WorkloadUsage ended(ReplicaEnd how, boolean warned, Instant now) {
        return new WorkloadUsage(
                workload,
                node,
                requested,
                started,
                startKind,
                phases,
                totals,
                retried,
                Optional.of(now),
                warned ? ReplicaEnd.INTERRUPTED : how);
    }

    WorkloadUsage with(ReplicaTotals reported) {
        return with(reported, retried);
    }

    WorkloadUsage withRetry() {
        return with(totals, retried + 1);
    }

    private WorkloadUsage with(ReplicaTotals reported, long retries) {
        return new WorkloadUsage(workload, node, requested, started, startKind, phases, reported, retries, ended, end);
    }

    /** Its interval until now. */
    ReplicaInterval interval(Instant now) {
        Instant start = micros(started);
        Interval time =
                new Interval(start, ended.map(WorkloadUsage::micros).map(at -> at.isBefore(start) ? start : at));
        return new ReplicaInterval(
                workload.id(),
                workload.owner().namespace(),
                workload.owner().recordedName(),
                workload.owner().number(),
                node,
                requested,
                used(time.duration(now)),
                time,
                startKind,
                startPhases(),
                Work.of(totals, retried),
                end);
    }

    private static StartKind startKind(Replica.Start start) {
        return switch (start) {
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

    private Map<String, Duration> startPhases() {
        return phases.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, phase -> Duration.ofNanos(Math.max(0, Math.round(phase.getValue() * 1e6)))));
    }

    /** The precision that the ledger keeps. */
    private static Instant micros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
